import { expect, it } from 'vitest';
import { entryAt } from './describe-fact.js';

const reasonOf = (length: number) =>
  entryAt(5, { kind: 'resume', state: 'failed', reason: 'x'.repeat(length) }).text;

it('the text of an entry is cut to 499 characters', () => {
  const around = reasonOf(0).length;
  const whole = reasonOf(499 - around);
  expect(whole).toHaveLength(499);
  expect(whole).not.toContain('…');
  const cut = reasonOf(500 - around);
  expect(cut).toHaveLength(499);
  expect(cut.endsWith('x…')).toBe(true);
});

const ACT = {
  id: 'aud_1',
  at: 5,
  actor: { id: 'user_7', name: 'Robin', reason: null, door: 'library' },
  objects: [{ kind: 'operation', id: 'op_1' }],
  objectNames: [],
  keyId: null,
  count: null,
  filter: null,
  before: null,
  after: null,
  partnerId: null,
  partnerName: null,
  keyLabel: null,
} as const;

it.each([
  [
    {
      act: 'jobs.syncs.run',
      filter: { missing: 'close' },
      after: { added: 3, updated: 0, closed: 2, refused: 1 },
    },
    'A sync with the job source changed jobs: added 3, closed 2. It refused 1 row. Robin (user_7) ran it as operation op_1.',
  ],
  [
    {
      act: 'jobs.syncs.run',
      actor: { id: 'system:jobs-sync', name: null, reason: null, door: 'automatic' },
      filter: { missing: 'archive' },
      after: { reopened: 1, closed: 2, refused: 2 },
    },
    'A sync with the job source changed jobs: reopened 1, archived 2. It refused 2 rows. The worker ran it as operation op_1.',
  ],
  [{ act: 'jobs.syncs.request' }, 'Robin (user_7) asked the worker to begin the next job sync.'],
  [
    {
      act: 'jobs.syncs.request',
      after: { applyUpTo: 40 },
      actor: { id: 'user_7', name: 'Robin', reason: 'ticket 9', door: 'library' },
    },
    'Robin (user_7) allowed the next job sync to close up to 40 missing jobs. Reason: ticket 9.',
  ],
] as const)('an act of the job sync is described in plain words: %j', (fields, text) => {
  expect(entryAt(5, { kind: 'command', auditEntry: { ...ACT, ...fields } }).text).toBe(text);
});
