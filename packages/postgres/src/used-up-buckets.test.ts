/**
 * A failed attempt to write a submission in one statement leaves an `ERROR` in the server's log. A used-up bucket may
 * cause only one.
 */

import { randomUUID } from 'node:crypto';
import { createFakeClock, type FakeClock, skewClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, send, submission } from '@partner-hiring/test-support/partner';
import { createTestSchema, type TestSchema } from '@partner-hiring/test-support/postgres/database';
import { Pool, type PoolClient } from 'pg';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';

const LIMIT = 20;
const REFUSALS = 50;
const ACCEPTED = 10;
const MINUTE_MS = 60_000;

interface Process {
  readonly fixture: Fixture;
  /** The errors that the server sent, and wrote to its log, since the last call. */
  takeErrors(): readonly string[];
}

interface Sender {
  readonly secret: string;
  readonly jobId: string;
}

let database: TestSchema;
let clock: FakeClock;
let first: Process;
let second: Process;
let partner: Sender;
/** Its accepted submissions let a process try the short way again. */
let other: Sender;

beforeEach(async () => {
  clock = createFakeClock();
  database = createTestSchema();
  onTestFinished(() => database.drop());
  first = await openProcess(0);
  second = await openProcess(3 * MINUTE_MS + 20_000);
  partner = await createSender();
  other = await createSender();
});

/** Opens a process on the database. Its own clock is ahead by `aheadMs`. */
async function openProcess(aheadMs: number): Promise<Process> {
  const pool = new Pool({ connectionString: database.connectionString, max: 4 });
  let errors: string[] = [];
  pool.on('connect', (client: PoolClient) => {
    const { connection } = client as unknown as {
      readonly connection: { on(event: 'errorMessage', listener: (error: Error) => void): void };
    };
    connection.on('errorMessage', ({ message }) => errors.push(message));
  });
  const storage = await createPostgresStorage({ pool, schema: database.schema, clock });
  const fixture = await createFixture(
    { storage, limits: { submit_application: LIMIT, guard: 1_000 } },
    {},
    skewClock(clock, aheadMs),
  );
  onTestFinished(async () => {
    await fixture.close();
    await storage.close();
    await pool.end();
  });
  const takeErrors = () => {
    const taken = errors;
    errors = [];
    return taken;
  };
  takeErrors();
  return { fixture, takeErrors };
}

async function createSender(): Promise<Sender> {
  const created = await createPartner(first.fixture, { endpoint: false });
  const { jobId } = await createEmployer(first.fixture, created);
  return { secret: created.secret, jobId };
}

async function submit({ fixture }: Process, { secret, jobId }: Sender): Promise<number> {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const body = JSON.stringify(submission(jobId));
  return (await send(fixture, 'POST', '/applications', { headers, body })).status;
}

/** Sends refused submissions one at a time, the first ones between accepted ones of the other partner. */
async function refuse(process: Process): Promise<void> {
  for (let call = 0; call < REFUSALS; call += 1) {
    expect(await submit(process, partner)).toBe(429);
    if (call < ACCEPTED) expect(await submit(process, other)).toBe(201);
  }
}

async function useUp(process: Process): Promise<void> {
  const calls = Array.from({ length: LIMIT }, () => submit(process, partner));
  expect(new Set(await Promise.all(calls))).toEqual(new Set([201]));
}

it('logs at most one error per window and process for 50 refused submissions', async () => {
  for (const _window of [1, 2]) {
    await useUp(first);
    await refuse(first);
    expect(first.takeErrors()).toEqual([]);
    await clock.advance(MINUTE_MS);

    await useUp(first);
    await refuse(second);
    expect(second.takeErrors().length).toBeLessThanOrEqual(1);
    await clock.advance(MINUTE_MS);
  }
});

it('logs one error for a batch that is larger than what is left of its bucket', async () => {
  const calls = Array.from({ length: LIMIT + REFUSALS }, () => submit(first, partner));
  const statuses = await Promise.all(calls);
  expect(statuses.filter((status) => status === 201)).toHaveLength(LIMIT);
  await refuse(first);
  expect(first.takeErrors()).toEqual(['division by zero']);
});
