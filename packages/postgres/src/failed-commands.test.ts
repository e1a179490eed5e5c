import type { Repositories, Storage } from '@partner-hiring/core/ports';
import type { TestSchema } from '@partner-hiring/test-support/postgres/database';
import { leaveSchema, takeSchema } from '@partner-hiring/test-support/postgres/schemas';
import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  KEY_ID,
  sampleApplication,
  sampleCompany,
  samplePartner,
  sampleSubmission,
  seed,
  T0,
} from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import type { PostgresTransaction } from './host-transaction.js';

const MINUTE_MS = 60_000;

let database: TestSchema;
let pool: Pool;
let storage: Storage<PostgresTransaction>;
/** Replaces the next command that starts so. */
let fault: { readonly in: string; readonly sends: (command: string) => string } | null;

async function open(pipeline: boolean): Promise<void> {
  pool = new Pool({ connectionString: database.connectionString, max: 1, pipeline });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (given: { text: string }) => unknown;
    Object.assign(client, {
      query: (given: { text: string }) => {
        if (fault === null || !given.text.startsWith(fault.in)) return query(given);
        const text = fault.sends(given.text);
        fault = null;
        return query({ ...given, text });
      },
    });
  });
  storage = await createPostgresStorage({ pool, schema: database.schema });
  await seed(storage.direct);
}

beforeEach(() => {
  fault = null;
  database = takeSchema();
});
afterEach(async () => {
  await storage.close();
  await pool.end();
  await leaveSchema(database);
});

const submission = sampleSubmission(sampleApplication(1, T0 + 1));

function submit(): Promise<unknown> {
  return storage.transaction(async (tx) => {
    await tx.feed.take([{ keyId: KEY_ID, count: 1 }], T0);
    return tx.submissions.chargeAndAdd([], [submission]);
  });
}

describe.each([
  ['with a pipeline', true],
  ['without a pipeline', false],
])('%s', (_, pipeline) => {
  it.each([
    ['as a whole', () => 'begin isolation level none', '42601'],
    ['behind its first command', (begin: string) => `${begin}; set local lock_timeout = none`, '22023'],
  ])(
    'a transaction that did not begin, %s, says why, stores nothing, and leaves the connection as it was',
    async (_which, sends, code) => {
      await open(pipeline);
      fault = { in: 'begin', sends };
      await expect(submit()).rejects.toMatchObject({ code });
      expect(await storage.direct.applications.find([submission.application.id])).toEqual([null]);
      expect(await submit()).toEqual([]);
      expect(await storage.direct.applications.find([submission.application.id])).not.toEqual([null]);
    },
  );

  it('what a transaction writes first is not done where it did not begin', async () => {
    await open(pipeline);
    await storage.direct.submissions.add([submission]);
    const { id } = submission.application;
    const url = 'https://cv.example';
    const task = { applicationId: id, keyId: KEY_ID, url, attempts: 0, dueAt: T0 };
    const writes: readonly ((tx: Repositories) => Promise<unknown>)[] = [
      (tx) => tx.resumeFiles.finish(id, 'token'),
      (tx) => tx.partners.add(samplePartner('ptn_new')),
      (tx) => tx.companies.save({ ...sampleCompany(), name: 'Another name' }),
    ];
    await storage.direct.resumeFiles.add(task);
    await storage.direct.resumeFiles.claim({ token: 'token', forMs: MINUTE_MS }, T0, 1);
    for (const write of writes) {
      fault = { in: 'begin', sends: () => 'begin isolation level none' };
      await expect(storage.transaction(write)).rejects.toMatchObject({ code: '42601' });
    }
    expect(await storage.direct.resumeFiles.finish(id, 'token')).toBe(true);
    expect(await storage.direct.partners.find('ptn_new')).toBeNull();
    expect(await storage.direct.companies.list()).toContainEqual(sampleCompany());
  });

  it.each([
    ['commit', submit, { code: '42601' }],
    [
      'rollback',
      () => storage.transaction(() => Promise.reject(new Error('given up'))),
      { message: 'given up' },
    ],
  ])(
    'a %s that fails does not leave its transaction to whoever has the connection next',
    async (command, run, expected) => {
      await open(pipeline);
      fault = { in: command, sends: () => 'end of nothing' };
      await expect(run()).rejects.toMatchObject(expected);
      expect(await storage.direct.applications.find([submission.application.id])).toEqual([null]);
      expect(await submit()).toEqual([]);
    },
  );
});
