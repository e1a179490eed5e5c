import type { ApplicationRecord, KeyId, PartnerEvent, Repositories } from '@partner-hiring/core/ports';

const KEY: KeyId = 'key_1';
const ID = 'ej_app_1';
const APPLICATION = { id: ID, keyId: KEY } as unknown as ApplicationRecord;
const EVENT = { keyId: KEY, at: 5, body: '{}' } as unknown as PartnerEvent;
const WALK = { submittedBefore: 9, after: null, limit: 9 } as const;

/** A walk over applications, and the index whose range it must read in order. */
export const CANDIDATE_RANGES: readonly (readonly [
  name: string,
  run: (r: Repositories) => Promise<unknown>,
  index: string,
])[] = [
  ['a walk over all', (r) => r.candidates.walk({ ...WALK, companyId: null }), 'ph_application_newest'],
  [
    'a walk that continues',
    (r) => r.candidates.walk({ ...WALK, companyId: null, after: { id: ID, submittedAt: 5 } }),
    'ph_application_newest',
  ],
];

/** Queries that must find their rows by an index. */
export const CANDIDATE_QUERIES: readonly (readonly [
  name: string,
  run: (r: Repositories) => Promise<unknown>,
  statements: number,
])[] = [
  ['stored replies', (r) => r.candidates.findRecords([APPLICATION]), 1],
  ['events', (r) => r.candidates.findEvents([{ keyId: KEY, at: 5 }]), 1],
  ['résumés to download', (r) => r.candidates.findResumeFiles([ID]), 1],
  ['postponed inbox entries', (r) => r.candidates.listPostponed([ID]), 1],
  ['cancelling downloads', (r) => r.candidates.cancelResumeFiles([ID]), 1],
  ['erasing', (r) => r.candidates.erase([ID], 9), 2],
  ['clearing source ids', (r) => r.candidates.clearSourceIds([{ id: ID, changedAt: 9 }]), 1],
  ['replacing bodies', (r) => r.candidates.saveBodies([EVENT]), 1],
  ['deliveries', (r) => r.candidates.eraseExcerpts([{ keyId: KEY, eventId: 'evt_1' }]), 1],
  ['removals', (r) => r.resumeRemovals.find([ID]), 1],
  ['claiming removals', (r) => r.resumeRemovals.claim({ token: 't', forMs: 9 }, 9, 9), 1],
  ['finishing removals', (r) => r.resumeRemovals.finish([ID], 't'), 1],
];
