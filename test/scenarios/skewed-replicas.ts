import { randomUUID } from 'node:crypto';
import { createFakeClock, type FakeClock, skewClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  type Reply,
  send,
  submission,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase, type TestDatabase } from '@partner-hiring/test-support/storages';

/** Replicas on one database whose machines disagree about the time. */
export interface SkewedReplicas {
  /** The clock of the storage. */
  readonly clock: FakeClock;
  readonly database: TestDatabase;
  /** A replica whose machine agrees with the storage. */
  readonly inStep: Fixture;
  readonly partner: Partner;
  readonly employer: Awaited<ReturnType<typeof createEmployer>>;
  /** Starts a replica whose machine is so far ahead of the storage; below 0, behind. */
  replica(aheadMs: number, options?: Parameters<typeof createFixture>[0]): Promise<Fixture>;
  get(fixture: Fixture, path: string, secret?: string): Promise<Reply>;
  submit(
    fixture: Fixture,
    idempotencyKey?: string,
    fields?: Readonly<Record<string, unknown>>,
  ): Promise<Reply>;
  close(): Promise<void>;
}

/** Opens a database with a partner and an employer. */
export async function openSkewedReplicas(): Promise<SkewedReplicas> {
  const clock = createFakeClock();
  const database = await createTestDatabase();
  const replicas: Fixture[] = [];
  const replica: SkewedReplicas['replica'] = async (aheadMs, options = {}) => {
    const { storage = await database.open(clock) } = options;
    const fixture = await createFixture({ ...options, storage }, {}, skewClock(clock, aheadMs));
    replicas.push(fixture);
    return fixture;
  };
  const inStep = await replica(0);
  const partner = await createPartner(inStep);
  const employer = await createEmployer(inStep, partner);
  return {
    clock,
    database,
    inStep,
    partner,
    employer,
    replica,
    get: (fixture, path, secret = partner.secret) =>
      send(fixture, 'GET', path, { headers: { authorization: `Bearer ${secret}` } }),
    submit: (fixture, idempotencyKey = randomUUID(), fields = {}) =>
      send(fixture, 'POST', '/applications', {
        body: JSON.stringify(submission(employer.jobId, fields)),
        headers: {
          authorization: `Bearer ${partner.secret}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
      }),
    close: async () => {
      await Promise.all(replicas.map((fixture) => fixture.close()));
      await database.remove();
    },
  };
}
