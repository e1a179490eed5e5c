import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { createPartnerHiring, type PartnerKey } from '@partner-hiring/core';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { Pool, type PoolClient } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { JOB_ID, KEY_ID, seed, T0 } from '../../../test/conformance/suite/storage/samples.js';
import { createSecret, describeSecret } from '../../core/src/domain/partner-key.js';
import { createPostgresStorage } from './create-postgres-storage.js';

const SECRET = createSecret('production', Buffer.alloc(32, 7));
const CONNECTIONS = 4;

/** Counts consecutive writes without a result as one round trip. */
function createRoundTripCounter() {
  const counts = new Map<PoolClient, number>();
  return {
    watch: (client: PoolClient) => {
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
      const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
      let isAnswered = true;
      stream.on('data', () => {
        isAnswered = true;
      });
      const counted = (...args: unknown[]) => {
        if (isAnswered) counts.set(client, (counts.get(client) ?? 0) + 1);
        isAnswered = false;
        return write(...args);
      };
      Object.assign(stream, { write: counted });
    },
    take: () => {
      const most = Math.max(0, ...counts.values());
      counts.clear();
      return most;
    },
  };
}

/** Opens the partner API on connections that are open and have prepared every statement. */
async function open(pipeline: boolean, lowered: readonly Pick<PartnerKey, 'id' | 'loweredLimits'>[]) {
  const database = createTestSchema();
  const pool = new Pool({
    connectionString: database.connectionString,
    max: CONNECTIONS,
    ...(pipeline ? { pipeline } : {}),
  });
  const roundTrips = createRoundTripCounter();
  pool.on('connect', roundTrips.watch);
  const storage = await createPostgresStorage({ pool, schema: database.schema });
  onTestFinished(async () => {
    await storage.close();
    await pool.end();
    await database.drop();
  });
  await seed(storage.direct);
  await storage.direct.keys.addSecret(describeSecret(KEY_ID, 'production', SECRET, T0));
  await storage.direct.keys.saveLimits(lowered);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('select pg_sleep(0.1)')));
  /** Authentication, then each transaction. */
  const phases: number[] = [];
  const watched: typeof storage = {
    ...storage,
    transaction: (work) => {
      phases.push(roundTrips.take());
      return storage.transaction(work);
    },
  };
  const partnerHiring = createPartnerHiring({ storage: watched, secretKey: '0123456789abcdef'.repeat(4) });
  const submit = async (...bodies: readonly Readonly<Record<string, unknown>>[]) => {
    roundTrips.take();
    phases.length = 0;
    const replies = await Promise.all(bodies.map((body) => partnerHiring.fetch(submissionRequest(body))));
    return { statuses: replies.map(({ status }) => status), phases: [...phases, roundTrips.take()] };
  };
  expect((await submit({}, {})).statuses).toEqual([201, 201]);
  return submit;
}

function submissionRequest({ key = randomUUID(), ...changes }: Readonly<Record<string, unknown>>): Request {
  const candidate = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    phone: '+14155550123',
  };
  const fields = {
    jobId: JOB_ID,
    candidate,
    consentToContact: true,
    applicationFormAnswers: { licence: true },
  };
  return new Request('http://api.test/api/v1/external/applications', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${SECRET}`,
      'content-type': 'application/json',
      'idempotency-key': String(key),
    },
    body: JSON.stringify({ ...fields, resumeUrl: 'https://cv.example.org/ada.pdf', ...changes }),
  });
}

const loweredLimits = {
  perMinute: { submit_application: 9 },
  until: Date.now() + 3_600_000,
  reason: 'It submits too much',
};

it.each([
  { pipeline: true, optimistic: 2, lookedUp: 4, lowered: [] },
  { pipeline: true, optimistic: 2, lookedUp: 4, lowered: [{ id: KEY_ID, loweredLimits }] },
  // Each statement is a round trip: begin, stamps, jobs, rows, commit.
  { pipeline: false, optimistic: 5, lookedUp: 9, lowered: [] },
])(
  'authentication takes 1 round trip, and a batch $optimistic or $lookedUp, with pipeline: $pipeline, lower limits: $lowered.length',
  async ({ pipeline, optimistic, lookedUp, lowered }) => {
    const submit = await open(pipeline, lowered);
    expect(await submit({})).toEqual({ statuses: [201], phases: [1, optimistic] });
    const sourceApplicationId = randomUUID();
    expect(await submit({ sourceApplicationId }, {})).toEqual({
      statuses: [201, 201],
      phases: [1, optimistic],
    });

    // The storage rejects the rows of the optimistic batch.
    expect(await submit({ sourceApplicationId }, {})).toEqual({
      statuses: [409, 201],
      phases: [1, optimistic, lookedUp],
    });
    // The next batch looks up first. A rejection costs no extra round trip.
    expect(await submit({ sourceApplicationId }, { jobId: 'job_none' }, {})).toEqual({
      statuses: [409, 404, 201],
      phases: [1, lookedUp],
    });
  },
);
