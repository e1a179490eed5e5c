import { expect, it } from 'vitest';
import { actSentence, changesText } from './act-words.js';

const ENTRY = {
  actor: { id: 'user_1', name: 'Rosa', reason: null, door: 'library' },
  act: 'jobs.close',
  count: null,
  filter: null,
  before: null,
  after: null,
} as const;

it.each([
  [
    {
      act: 'applications.move',
      actor: { id: 'user_1', name: 'Rosa', reason: 'phone screen', door: 'library' },
      after: { status: 'in_progress', stage: 'video_interview' },
    },
    'Rosa moved the application (video interview). Reason: phone screen.',
  ],
  [
    {
      act: 'endpoints.pause',
      actor: { id: 'system:auto-pause', name: null, reason: null, door: 'automatic' },
      after: { state: 'paused', pausedReason: 'no_success' },
    },
    'The worker paused sending (no success).',
  ],
  [
    {
      act: 'jobs.syncs.run',
      actor: { id: 'system:jobs-sync', name: null, reason: null, door: 'automatic' },
      count: 5,
      filter: { missing: 'archive' },
      after: { added: 3, updated: 0, closed: 2, unchanged: 900, refused: 1 },
    },
    'The job sync brought the jobs in step with their source (3 added, 2 archived, 1 refused).',
  ],
  [
    { act: 'jobs.syncs.request', after: { applyUpTo: 40 } },
    'Rosa asked for a job sync (up to 40 missing jobs may close).',
  ],
  [{ act: 'jobs.close', count: 1_200 }, 'Rosa closed jobs (1,200 in all).'],
  [{ act: 'jobs.close', count: 0 }, 'Rosa closed jobs (none).'],
  [
    { actor: { id: 'user_9', name: null, reason: 'done.', door: 'library' } },
    'user_9 closed the job. Reason: done.',
  ],
  [{ act: 'new.act' }, 'Rosa new.act.'],
] as const)('writes %j as “%s”', (given, sentence) => {
  expect(actSentence({ ...ENTRY, ...given })).toBe(sentence);
});

it('writes changed fields without JSON and milliseconds since 1970', () => {
  expect(changesText({ before: null, after: { applyUpTo: 40 } })).toBe('apply up to: 40');
  const at = Date.UTC(2026, 0, 5, 9);
  expect(changesText({ before: { bootstrapUntil: null }, after: { bootstrapUntil: at } })).toBe(
    'bootstrap until: 5 Jan 2026, 09:00 UTC',
  );
  const companyId = 'co_01m8h8hxgasrxwazens41c9z17';
  expect(changesText({ before: null, after: { companyId } })).toBe('company id: …1c9z17');
  expect(changesText({ before: { stage: 'final_review' }, after: { stage: 'under_review' } })).toBe(
    'stage: final review → under review',
  );
  expect(changesText({ before: { pausedReason: 'operator' }, after: { pausedReason: null } })).toBe(
    'paused reason: operator → none',
  );
  const after = { environments: ['production', 'sandbox'], endpoints: [] };
  expect(changesText({ before: null, after })).toBe('environments: production, sandbox; endpoints: none');
});
