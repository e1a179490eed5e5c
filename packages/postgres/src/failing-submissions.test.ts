import { setTimeout as pause } from 'node:timers/promises';
import { StorageUnavailable } from '@partner-hiring/core';
import type { AcceptedSubmission, ApplicationId } from '@partner-hiring/core/ports';
import { openBehindProxy, SOON_MS, TIMEOUTS } from '@partner-hiring/test-support/postgres/behind-proxy';
import { Client, Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import {
  sampleApplication,
  sampleCompany,
  sampleKey,
  samplePartner,
  sampleSubmission,
  T0,
} from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';

const { database, proxy, storage } = await openBehindProxy();
const { connectionString, schema } = database;

let submissions = 0;

/** Each submission belongs to another key, so no other test moves its feed. */
async function readySubmission(name: string): Promise<[AcceptedSubmission, string, ApplicationId]> {
  submissions += 1;
  const [keyId, partnerId] = [`key_${name}`, `ptn_${name}`] as const;
  await storage.direct.partners.add(samplePartner(partnerId));
  await storage.direct.keys.add(sampleKey(keyId, partnerId));
  const application = sampleApplication(100 + submissions, T0 + 10, { keyId });
  return [sampleSubmission(application), `submit_application:${keyId}`, application.id];
}

describe('a connection that fails', () => {
  it.each([
    ['once the server has it', 'commit\0', 'the_answer', true],
    ['on its way there', 'the statement', 'with_it', false],
  ] as const)(
    'under a batch and its commit leaves its outcome unknown: %s',
    async (_, text, what, wasDone) => {
      const [submission, bucketId, id] = await readySubmission(`batch_${what}`);
      const charge = { bucketId, cost: 1, limit: 9 };
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
    const [submission, bucketId, id] = await readySubmission('contended');
    const administrator = new Client({ connectionString });
    await administrator.connect();
    await administrator.query(`begin; lock table ${schema}.ph_rate_window`);
    let runs = 0;
    let letGo: Promise<unknown> = Promise.resolve();
    const added = storage.transaction(async (tx) => {
      runs += 1;
      if (runs === 2) letGo = pause(50).then(() => administrator.query('commit'));
      const counts = await tx.submissions.chargeAndAdd([{ bucketId, cost: 1, limit: 9 }], [submission]);
      return counts === 'conflict' ? counts : counts.map(({ count }) => count);
    });
    expect(await added).toEqual([1]);
    // An unread result would break the connection.
    await letGo;
    await administrator.end();
    expect(runs).toBe(2);
    expect(await storage.direct.applications.find([id])).not.toEqual([null]);
  });

  it('that the server ends right behind its answer to a commit takes nothing back', async () => {
    const [submission, , id] = await readySubmission('behind');
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
    const [submission] = await readySubmission('last');
    const late = storage.transaction(async (tx) => {
      await tx.submissions.chargeAndAdd([], [submission]);
      await tx.companies.save(sampleCompany());
    });
    await expect(late).rejects.toThrow('The transaction has ended');
  });
});
