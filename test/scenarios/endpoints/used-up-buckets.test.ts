/** A process that knows a used-up bucket looks first. Partners must not notice what a process remembers. */
import type { Storage } from '@partner-hiring/core';
import { createFakeClock, type FakeClock, skewClock } from '@partner-hiring/test-support/clock';
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const LIMIT = 4;
const MINUTE_MS = 60_000;

let database: TestDatabase;
let clock: FakeClock;
let fixture: Fixture;
let partner: Partner;
let companyId: `co_${string}`;
let jobId: string;
let otherJobId: string;
/** How often the storage took back the last statement of a short way. */
let takenBack: number;

describe.each([
  ['right', 0],
  ['an hour ahead', 60 * MINUTE_MS],
  ['an hour behind', -60 * MINUTE_MS],
])('with a process clock that is %s', (_, aheadMs) => {
  beforeEach(async () => {
    takenBack = 0;
    clock = createFakeClock();
    database = await createTestDatabase();
    const storage = countTakenBack(await database.open(clock));
    const options = { storage, limits: { submit_application: LIMIT } };
    fixture = await createFixture(options, {}, skewClock(clock, aheadMs));
    partner = await createPartner(fixture, { endpoint: false });
    ({ companyId, jobId } = await createEmployer(fixture, partner));
    ({ jobId: otherJobId } = await createEmployer(fixture, partner));
  });
  afterEach(async () => {
    await fixture.close();
    await database.remove();
  });

  it('refuses and accepts exactly by the counts, and tries no used-up bucket', async () => {
    for (const _window of [1, 2, 3]) {
      for (let call = 0; call < LIMIT; call += 1) {
        expect(await submit(jobId)).toBe(201);
      }
      for (let call = 0; call < LIMIT; call += 1) {
        expect(await submit(jobId)).toBe(429);
        expect(await submit(otherJobId)).toBe(201);
      }
      await clock.advance(MINUTE_MS);
    }
    expect(takenBack).toBe(0);
  });

  it('accepts at once when the limit of a used-up bucket grows', async () => {
    await Promise.all(Array.from({ length: 2 * LIMIT }, () => submit(jobId)));
    expect(await submit(jobId)).toBe(429);
    await fixture.operator.access.raiseLimit({ keyId: partner.keyId, companyId });
    expect(await submit(jobId)).toBe(201);
  });
});

async function submit(job: string): Promise<number> {
  return (await partner.submit(submission(job))).status;
}

function countTakenBack(storage: Storage<HostTransaction>): Storage<HostTransaction> {
  return {
    ...storage,
    transaction: (work) =>
      storage.transaction((tx) =>
        work({
          ...tx,
          submissions: {
            ...tx.submissions,
            chargeAndAdd: async (...given) => {
              const added = await tx.submissions.chargeAndAdd(...given);
              if (added === 'conflict') takenBack += 1;
              return added;
            },
          },
        }),
      ),
  };
}
