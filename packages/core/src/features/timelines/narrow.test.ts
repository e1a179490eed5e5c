import { expect, it } from 'vitest';
import type { ListedAuditEntry } from '../audit/audit-entries.js';
import { narrowAudit } from '../audit/narrow-audit.js';
import { narrowTimeline } from './narrow-timeline.js';
import type { Timeline } from './timeline.js';

const OWN = { kind: 'application', id: 'ej_app_own' } as const;
const FOREIGN = { kind: 'application', id: 'ej_app_foreign' } as const;

const seesNone = async () => new Set<never>();

const ENTRY: ListedAuditEntry = {
  id: 'aud_1',
  at: 1,
  actor: { id: 'user_1', name: 'Robin', reason: null, door: 'library' },
  act: 'candidates.eraseMany',
  objects: [FOREIGN, OWN],
  objectNames: [null, null],
  keyId: null,
  count: 40,
  filter: { companyId: 'co_1' },
  before: null,
  after: { erased: true },
  partnerId: null,
  partnerName: null,
  keyLabel: null,
};

const NARROWED = {
  ...ENTRY,
  objects: [OWN],
  objectNames: [null],
  count: null,
  filter: null,
  before: null,
  after: null,
};

it('leaves only the own objects in an act on the objects of several keys', async () => {
  const page = await narrowAudit({ items: [ENTRY], nextCursor: null }, [OWN], seesNone);
  expect(page.items).toEqual([NARROWED]);
});

it('leaves an act on one key as it is', async () => {
  const entry = { ...ENTRY, keyId: 'key_1' } as const;
  expect((await narrowAudit({ items: [entry], nextCursor: null }, [OWN], seesNone)).items).toEqual([entry]);
});

it('hides the names of jobs, and of companies that the partners no longer see', async () => {
  const objects = [
    { kind: 'key', id: 'key_1' },
    { kind: 'company', id: 'co_seen' },
    { kind: 'company', id: 'co_lost' },
    { kind: 'job', id: 'job_1' },
  ] as const;
  const objectNames = ['Acme (production)', 'Bistro Nord', 'Secret GmbH', 'Picker'];
  const entry = { ...ENTRY, keyId: 'key_1', objects, objectNames } as const;
  const sees = async () => new Set(['co_seen'] as const);
  const [narrowed] = (await narrowAudit({ items: [entry], nextCursor: null }, [OWN], sees)).items;
  expect(narrowed).toEqual({ ...entry, objectNames: ['Acme (production)', 'Bistro Nord', null, null] });
});

it('says in a timeline only who did what', async () => {
  const timeline: Timeline = {
    entries: [{ kind: 'command', at: 1, auditEntry: ENTRY, text: 'Robin erased ej_app_foreign, 40 in all.' }],
    completeFrom: null,
    news: null,
  };
  expect((await narrowTimeline(timeline, [OWN], seesNone)).entries).toEqual([
    { kind: 'command', at: 1, auditEntry: NARROWED, text: 'Robin called candidates.eraseMany.' },
  ]);
});
