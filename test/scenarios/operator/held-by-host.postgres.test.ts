/** A host that leaves its transaction open blocks only those who need its rows. */

import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  type Reply,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import type { TestSchema } from '@partner-hiring/test-support/postgres/database';
import { leaveSchema, takeSchema } from '@partner-hiring/test-support/postgres/schemas';
import { answered } from '@partner-hiring/test-support/transport';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresStorage, type PostgresTransaction } from '../../../packages/postgres/src/index.js';

type Operator = Fixture['operator'];

/** A partner with a company, an open job and an application. */
interface Side {
  readonly partner: Partner;
  readonly keyId: Partner['keyId'];
  readonly companyId: `co_${string}`;
  readonly jobId: `job_${string}`;
  readonly applicationId: `ej_app_${string}`;
}

const COMMANDS: Readonly<Record<string, (operator: Operator, side: Side) => Promise<unknown>>> = {
  'applications.move': ({ applications }, { applicationId: id }) => applications.move({ id }),
  'jobs.publish': ({ jobs }, { companyId }) => jobs.publish({ companyId, ...WAREHOUSE_JOB }),
  'jobs.close': ({ jobs }, { jobId: id }) => jobs.close({ id }),
  'jobs.archive': ({ jobs }, { jobId: id }) => jobs.archive({ id }),
  'companies.rename': ({ companies }, { companyId: id }) => companies.rename({ id, name: 'Initrode' }),
  'access.revoke': ({ access }, { keyId, companyId }) => access.revoke({ keyId, companyId }),
  'keys.rotate': ({ keys }, { keyId }) => keys.rotate({ id: keyId }),
  'keys.revoke': ({ keys }, { keyId }) => keys.revoke({ id: keyId, all: true }),
  'endpoints.setUrl': ({ endpoints }, { keyId }) =>
    endpoints.setUrl({ keyId, url: 'https://ats.example.org/v2' }),
  'endpoints.rotateSecret': ({ endpoints }, { keyId }) => endpoints.rotateSecret({ keyId }),
  'endpoints.pause': ({ endpoints }, { keyId }) => endpoints.pause({ keyId }),
};

/** Commands that lock rows which the worker updates. */
const OF_ENDPOINTS = ['endpoints.setUrl', 'endpoints.rotateSecret', 'endpoints.pause'];

let database: TestSchema;
let fixture: Fixture;
let host: Client;
let held: Side;
let other: Side;
beforeEach(async () => {
  database = takeSchema();
  const { connectionString, schema } = database;
  const storage = await createPostgresStorage({ connectionString, schema });
  fixture = await createFixture({ storage });
  host = new Client({ connectionString });
  await host.connect();
  held = await createSide();
  other = await createSide();
  await fixture.pass(1_000);
});
afterEach(async () => {
  await host.end();
  await fixture.close();
  await leaveSchema(database);
});

async function createSide(): Promise<Side> {
  const partner = await createPartner(fixture);
  const { companyId, jobId } = await createEmployer(fixture, partner);
  const { json } = await partner.submit(submission(jobId));
  return { partner, keyId: partner.keyId, companyId, jobId, applicationId: json.id as Side['applicationId'] };
}

/** Runs a command in a transaction of the host, and leaves the transaction open. */
async function hold(command: string): Promise<void> {
  const transaction: PostgresTransaction = host;
  await host.query('begin');
  await COMMANDS[command]?.(fixture.partnerHiring.operator.within(transaction) as Operator, held);
}

function submits({ partner, jobId }: Side, times: number): Promise<Reply>[] {
  return Array.from({ length: times }, () => partner.submit(submission(jobId)));
}

async function statusesOf(replies: readonly Promise<Reply>[]): Promise<readonly number[]> {
  return (await Promise.all(replies)).map(({ status }) => status);
}

/** Expects a distinct application to the side's job in each reply. */
async function areOwn({ jobId }: Side, replies: readonly Promise<Reply>[]): Promise<boolean> {
  const stored = (await Promise.all(replies)).map(({ json }) => json);
  const ids = new Set(stored.map(({ id }) => id));
  return ids.size === stored.length && stored.every((each) => each.jobId === jobId);
}

/** The recorded time of the last success. */
async function successOf({ keyId }: Side): Promise<number | null | undefined> {
  return (await fixture.operator.endpoints.find({ keyId }))?.health.lastSuccessAt;
}

describe('while a transaction of the host locks the rows of one partner', () => {
  it.each(Object.keys(COMMANDS))(
    'for %s, another partner submits, reads and gets its events',
    async (command) => {
      // Long enough for lastUsedAt to be written again.
      await fixture.clock.advance(600_000);
      await hold(command);
      const waiting = submits(held, 3);
      const passing = submits(other, 3);
      expect(await statusesOf(passing)).toEqual([201, 201, 201]);
      waiting.push(...submits(held, 2));
      passing.push(...submits(other, 3));
      expect(await statusesOf(passing)).toEqual(Array(6).fill(201));
      expect(await areOwn(other, passing)).toBe(true);
      const { partner, applicationId } = other;
      const paths = [`/applications/${applicationId}`, '/applications', '/jobs'];
      expect(await statusesOf(paths.map((path) => partner.get(path)))).toEqual([200, 200, 200]);
      expect(await statusesOf(paths.map((path) => held.partner.get(path)))).not.toContain(503);

      const before = fixture.transport.attempts.length;
      await fixture.operator.jobs.publish({ companyId: other.companyId, ...WAREHOUSE_JOB });
      await fixture.operator.endpoints.pause({ keyId: other.keyId });
      await fixture.operator.endpoints.resume({ keyId: other.keyId });
      await fixture.pass(1_000);
      expect(fixture.transport.attempts.length).toBeGreaterThan(before);
      await host.query('rollback');
      expect(await statusesOf(waiting)).toEqual([201, 201, 201, 201, 201]);
      expect(await areOwn(held, waiting)).toBe(true);
    },
  );

  it.each(OF_ENDPOINTS)(
    'for %s, deliveries of another partner are recorded now, and its own after the transaction',
    async (command) => {
      let answer = () => {};
      const answers = new Promise<void>((resolve) => {
        answer = resolve;
      });
      fixture.transport.answerWith(async () => {
        await answers;
        return answered(200);
      });
      const before = fixture.transport.attempts.length;
      const earlier = await successOf(held);
      expect(await successOf(other)).toBe(earlier);
      for (const { companyId } of [held, other]) {
        await fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
      }
      const draining = fixture.partnerHiring.worker.drain();
      await expect.poll(() => fixture.transport.attempts.length).toBe(before + 2);
      await hold(command);
      answer();
      /** Passes time until an attempt is recorded. */
      const recorded = (side: Side) =>
        expect
          .poll(async () => {
            await fixture.clock.advance(100);
            return successOf(side);
          })
          .not.toBe(earlier);
      await recorded(other);
      expect(await successOf(held)).toBe(earlier);
      await host.query('commit');
      await recorded(held);
      await draining;
      expect(fixture.transport.attempts).toHaveLength(before + 2);
    },
  );
});
