/** Submissions in one statement, with their commit or as one, on connections that fail or rows that are held. */
import { setTimeout as pause } from 'node:timers/promises';
import { StorageUnavailable } from '@partner-hiring/core';
import type { ApplicationId, PresumedSubmission } from '@partner-hiring/core/ports';
import { Client, Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { openBehindProxy, SOON_MS, TIMEOUTS } from '../../../test/support/postgres/behind-proxy.js';
import {
  JOB_ID,
  sampleApplication,
  sampleCompany,
  sampleKey,
  samplePartner,
  sampleSecret,
  sampleSubmission,
  T0,
} from '../../conformance/src/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';

const { database, proxy, storage } = await openBehindProxy();
const { connectionString, schema } = database;

let presumedSubmissions = 0;

/** A submission that all in the database is ready for; each is another key's, whose feed nobody else moves. */
async function presumedSubmission(name: string): Promise<[PresumedSubmission, ApplicationId]> {
  presumedSubmissions += 1;
  const [keyId, partnerId] = [`key_${name}`, `ptn_${name}`] as const;
  const secret = sampleSecret(name, { keyId });
  await storage.direct.partners.add(samplePartner(partnerId));
  await storage.direct.keys.add(sampleKey(keyId, partnerId));
  await storage.direct.keys.addSecret(secret);
  const [found] = await storage.direct.jobs.findForKeys([{ keyId, jobId: JOB_ID }]);
  if (!found) throw new Error('The samples were not stored.');
  const application = sampleApplication(100 + presumedSubmissions, T0 + 10, { keyId });
  const presumed = {
    caller: { key: sampleKey(keyId, partnerId), secret },
    found,
    guard: { id: `guard:${keyId}`, limit: 9, scope: { kind: 'partner' } },
    bucket: { id: `submit_application:${keyId}`, limit: 9, scope: { kind: 'partner' } },
    submission: sampleSubmission(application),
  } as const;
  return [presumed, application.id];
}

describe('a connection that fails', () => {
  it.each([
    ['once the server has it', 'the_answer', true],
    ['on its way there', 'with_it', false],
  ] as const)('under a submission in one step leaves its outcome unknown: %s', async (_, what, wasDone) => {
    const [presumed, id] = await presumedSubmission(what);
    proxy.swallowAt(id, what);
    const lost = storage.addPresumed?.(presumed);
    await expect(lost).rejects.toThrow(StorageUnavailable);
    await expect(lost).rejects.toThrow('outcome is unknown');
    proxy.forward();
    const [stored] = await storage.direct.applications.find([id]);
    expect(stored !== null).toBe(wasDone);
  });

  it.each([
    ['once the server has it', 'commit\0', 'the_answer', true],
    ['on its way there', 'the statement', 'with_it', false],
  ] as const)(
    'under a batch and its commit leaves its outcome unknown: %s',
    async (_, text, what, wasDone) => {
      const [{ submission, bucket }, id] = await presumedSubmission(`batch_${what}`);
      const charge = { bucketId: bucket.id, cost: 1, limit: bucket.limit };
      let runs = 0;
      proxy.swallowAt(text === 'the statement' ? id : text, what);
      const lost = storage.transaction(async (tx) => {
        runs += 1;
        return tx.submissions.chargeAndAdd([charge], [submission]);
      });
      await expect(lost).rejects.toThrow(StorageUnavailable);
      await expect(lost).rejects.toThrow('outcome is unknown');
      expect(runs).toBe(1);
      proxy.forward();
      const [stored] = await storage.direct.applications.find([id]);
      expect(stored !== null).toBe(wasDone);
    },
  );

  it('a batch whose statement waits for a row for too long is begun again, and done once', async () => {
    const [{ submission, bucket }, id] = await presumedSubmission('contended');
    const administrator = new Client({ connectionString });
    await administrator.connect();
    await administrator.query(`begin; lock table ${schema}.ph_rate_window`);
    let runs = 0;
    let letGo: Promise<unknown> = Promise.resolve();
    const added = storage.transaction(async (tx) => {
      runs += 1;
      // Let go while the second waits.
      if (runs === 2) letGo = pause(50).then(() => administrator.query('commit'));
      const counts = await tx.submissions.chargeAndAdd(
        [{ bucketId: bucket.id, cost: 1, limit: bucket.limit }],
        [submission],
      );
      return counts === 'conflict' ? counts : counts.map(({ count }) => count);
    });
    expect(await added).toEqual([1]);
    // Ended with its answer unread, the connection would break.
    await letGo;
    await administrator.end();
    expect(runs).toBe(2);
    expect(await storage.direct.applications.find([id])).not.toEqual([null]);
  });

  it('that the server ends right behind its answer to a commit takes nothing back', async () => {
    const [{ submission }, id] = await presumedSubmission('behind');
    const pool = new Pool({ connectionString, max: 1, pipeline: true });
    const ofHost = await createPostgresStorage({ pool, schema, timeouts: TIMEOUTS });
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const done = ofHost.transaction(async (tx) => {
      const counts = await tx.submissions.chargeAndAdd([], [submission]);
      await database.run(`select pg_terminate_backend($1, ${SOON_MS})`, [rows[0]?.pid]);
      return counts;
    });
    expect(await done).toEqual([]);
    expect(await ofHost.direct.applications.find([id])).toMatchObject([{ id }]);
    await ofHost.close();
    await pool.end();
  });

  it('nothing follows a statement that the commit is sent with', async () => {
    const [{ submission }] = await presumedSubmission('last');
    const late = storage.transaction(async (tx) => {
      await tx.submissions.chargeAndAdd([], [submission]);
      await tx.companies.save(sampleCompany());
    });
    await expect(late).rejects.toThrow('The transaction has ended');
  });

  it('to a server that became read-only leaves no doubt about a submission in one step', async () => {
    const [presumed] = await presumedSubmission('read_only');
    const pool = new Pool({ connectionString, max: 1 });
    const ofHost = await createPostgresStorage({ pool, schema, timeouts: TIMEOUTS });
    await pool.query('set default_transaction_read_only = on');
    const refused = ofHost.addPresumed?.(presumed);
    await expect(refused).rejects.toThrow(StorageUnavailable);
    await expect(refused).rejects.not.toThrow('outcome is unknown');
    await ofHost.close();
    await pool.end();
  });
});

describe('a submission in one step', () => {
  it('waits for a row no longer than others do, begins again, and adds once', async () => {
    const [presumed, id] = await presumedSubmission('waits');
    const pool = new Pool({ connectionString });
    const client = await pool.connect();
    await client.query('begin');
    await storage.within(client).rateWindows.charge([{ bucketId: presumed.bucket.id, cost: 1 }]);
    const adding = storage.addPresumed?.(presumed);
    // Longer than a statement may take: had it not given up in between, its outcome would be unknown.
    const letGo = pause(TIMEOUTS.statementMs + 200).then(() => client.query('rollback'));
    expect(await adding).toMatchObject({ count: 1 });
    expect(await storage.direct.applications.find([id])).toMatchObject([{ id }]);
    await letGo;
    client.release();
    await pool.end();
  });
});
