/** The address leads to a hot standby, as in the middle of a failover: partners are told to come again. */
import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { type OwnPostgres, startOwnPostgres } from '@partner-hiring/test-support/postgres/server';
import pRetry from 'p-retry';
import { Pool } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { assertAnswers } from '../../examples/database/assert-answers.js';

let server: OwnPostgres;
beforeEach(async () => {
  server = await startOwnPostgres();
});
afterEach(() => server?.stop());

/**
 * Starts the server again as a standby that no primary feeds: it reads its log to the end, and waits for more.
 *
 * @returns what resolves once it has been promoted.
 */
async function becomeStandby(): Promise<{ readonly promoted: Promise<void> }> {
  await server.crash();
  const signal = join(server.dataFolder, 'standby.signal');
  const { uid, gid } = await stat(server.dataFolder);
  await writeFile(signal, '');
  await chown(signal, uid, gid);
  const promoted = server.restart();
  promoted.catch(() => {});
  await pRetry(() => assertAnswers(server.url), { retries: 200, minTimeout: 50, factor: 1 });
  return { promoted };
}

it.each([true, false])('partners get 503 until it is promoted; pipelined: %s', async (pipeline) => {
  const pool = new Pool({ connectionString: server.url, max: 1, pipeline });
  pool.on('error', () => {});
  const clock = { now: () => Date.now() };
  const storage = await createPostgresStorage({ pool, schema: `standby_${pipeline}`, clock });
  const fixture = await createFixture({ storage });
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  expect((await partner.submit(submission(jobId))).status).toBe(201);

  const { promoted } = await becomeStandby();
  for (let round = 0; round < 3; round += 1) {
    const replies = [
      await partner.submit(submission(jobId, { sourceApplicationId: `ats-${round}` })),
      await partner.get('/jobs'),
    ];
    for (const { status, json } of replies)
      expect([status, json.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await expect(
      fixture.operator.companies.register({ name: 'Depot', environment: 'production' }),
    ).rejects.toMatchObject({
      name: 'StorageUnavailable',
    });
    // None is kept that refuses to write: a new one leads to where the failover has gone.
    expect(pool.totalCount).toBe(0);
  }

  await pool.query('select pg_promote()');
  await promoted;
  expect((await partner.submit(submission(jobId, { sourceApplicationId: 'ats-after' }))).status).toBe(201);
  await fixture.close();
  await storage.close();
  await pool.end();
});
