/** Partners must not notice whether a batch of submissions is optimistic or looked up. */
import { randomUUID } from 'node:crypto';
import type { Storage } from '@partner-hiring/core';
import type { AcceptedSubmission } from '@partner-hiring/core/ports';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
} from '@partner-hiring/test-support/partner';
import {
  createTestDatabase,
  type HostTransaction,
  type TestDatabase,
} from '@partner-hiring/test-support/storages';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';

const LIMIT = 10_000;

let database: TestDatabase;
let fixture: Fixture;
let partner: Partner;
let jobId: string;
/** How often records of idempotency keys were looked up. */
let lookUps: number;
/** An idempotency key that another process always binds first. */
let contested: string | null;

beforeEach(async () => {
  database = await createTestDatabase();
  lookUps = 0;
  contested = null;
  const storage = countLookUps(await database.open(createFakeClock()));
  fixture = await createFixture({ storage, limits: { submit_application: LIMIT, guard: LIMIT } });
  partner = await createPartner(fixture);
  ({ jobId } = await createEmployer(fixture, partner));
});
afterEach(async () => {
  await fixture.close();
  await database.remove();
});

function countLookUps(storage: Storage<HostTransaction>): Storage<HostTransaction> {
  return {
    ...storage,
    transaction: (work) =>
      storage.transaction((tx) =>
        work({
          ...tx,
          submissions: {
            ...tx.submissions,
            findRecords: (pairs) => {
              lookUps += 1;
              return tx.submissions.findRecords(pairs);
            },
            add: async (submissions) =>
              isContested(submissions) ? 'conflict' : tx.submissions.add(submissions),
            chargeAndAdd: async (charges, submissions) =>
              isContested(submissions) ? 'conflict' : tx.submissions.chargeAndAdd(charges, submissions),
          },
        }),
      ),
  };
}

function isContested(submissions: readonly AcceptedSubmission[]): boolean {
  return submissions.some(({ idempotency }) => idempotency.idempotencyKey === contested);
}

/** Submits bodies in one batch; returns the outcome of each. */
async function submitTogether(calls: readonly (readonly [body: unknown, key?: string])[]) {
  const replies = await Promise.all(calls.map(([body, key]) => partner.submit(body, key)));
  return replies.map(({ status, headers }) =>
    headers.get('idempotent-replayed') === 'true' ? 'replayed' : status,
  );
}

it('does not look up the keys of new submissions', async () => {
  await submitTogether([[submission(jobId)], [submission(jobId)]]);
  expect(lookUps).toBe(0);
});

it.each([
  ['a replay', 'replayed'],
  ['another body under its key', 422],
  ['a source id that is taken', 409],
  ['a job that is not there', 404],
] as const)(
  'finds %s among new submissions, and lookUps batches up until one is all new',
  async (what, outcome) => {
    const key = randomUUID();
    const taken = submission(jobId, { sourceApplicationId: 'ats-1' });
    const others = {
      'a replay': [taken, key],
      'another body under its key': [submission(jobId), key],
      'a source id that is taken': [submission(jobId, { sourceApplicationId: 'ats-1' })],
      'a job that is not there': [submission('job_none')],
    } as const;
    const together = () => submitTogether([[submission(jobId)], others[what], [submission(jobId)]]);
    await submitTogether([[taken, key]]);

    expect(await together()).toEqual([201, outcome, 201]);
    const lookUpsOfOne = lookUps;
    expect(await together()).toEqual([201, outcome, 201]);
    expect(lookUps).toBe(2 * lookUpsOfOne);
    await submitTogether([[submission(jobId)]]);
    const lookUpsUntilNew = lookUps;
    await submitTogether([[submission(jobId)]]);
    expect(lookUps).toBe(lookUpsUntilNew);
  },
);

it('a contested key gets 503 for its own submission, and the others of the batch get 201', async () => {
  contested = randomUUID();
  const calls = [[submission(jobId)], [submission(jobId), contested], [submission(jobId)]] as const;
  expect(await submitTogether(calls)).toEqual([201, 503, 201]);
  const next = await partner.submit(submission(jobId));
  expect(next.headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - 3));
});

it('replies, counts and the list of any mixture in any order equal those of calls one at a time', async () => {
  const kind = fc.constantFrom('new', 'replay', 'reused', 'duplicate', 'unknown', 'invalid');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(kind, { minLength: 1, maxLength: 6 }), { maxLength: 6 }),
      async (batches) => {
        const key = randomUUID();
        const sourceApplicationId = randomUUID();
        const first = submission(jobId, { sourceApplicationId });
        const calls = {
          new: () => ({ call: [submission(jobId)], outcome: 201 }),
          replay: () => ({ call: [first, key], outcome: 'replayed' }),
          reused: () => ({ call: [submission(jobId), key], outcome: 422 }),
          duplicate: () => ({
            call: [submission(jobId, { sourceApplicationId })],
            outcome: 409,
          }),
          unknown: () => ({ call: [submission('job_none')], outcome: 404 }),
          invalid: () => ({ call: [{ jobId }], outcome: 422 }),
        } as const;
        const remaining = Number((await partner.submit(first, key)).headers.get('x-ratelimit-remaining'));
        const listed = (await fixture.operator.applications.list({ limit: 1_000 })).items.length;

        let created = 0;
        let counted = 0;
        for (const batch of batches) {
          const expected = batch.map((name) => calls[name]());
          const outcomes = await submitTogether(expected.map(({ call }) => call as never));
          expect(outcomes).toEqual(expected.map(({ outcome }) => outcome));
          created += outcomes.filter((outcome) => outcome === 201).length;
          counted += outcomes.filter((outcome) => outcome === 201 || outcome === 409).length;
        }
        const now = (await fixture.operator.applications.list({ limit: 1_000 })).items.length;
        expect(now - listed).toBe(created);
        const last = await partner.submit(submission(jobId));
        expect(Number(last.headers.get('x-ratelimit-remaining'))).toBe(remaining - counted - 1);
      },
    ),
    { numRuns: 20 },
  );
});
