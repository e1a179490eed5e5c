/** Partners get 503 while the address leads to a hot standby, as during a failover. */
import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { type StartedPostgres, startPostgresServer } from '@partner-hiring/test-support/postgres/server';
import pRetry from 'p-retry';
import { Pool } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { assertAnswers } from '../../examples/platform/database/assert-answers.js';

let server: StartedPostgres;
beforeEach(async () => {
  server = await startPostgresServer();
});
afterEach(() => server?.stop());

/**
 * Restarts the server as a standby without a primary.
 *
 * @returns a function that promotes it.
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

it.each([true, false])('returns 503 until the standby is promoted; pipelined: %s', async (pipeline) => {
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
      fixture.operator.companies.create({ name: 'Depot', environment: 'production' }),
    ).rejects.toMatchObject({
      name: 'StorageUnavailable',
    });
    // Read-only connections are closed, because a new one leads to the new primary.
    expect(pool.totalCount).toBe(0);
  }

  await pool.query('select pg_promote()');
  await promoted;
  expect((await partner.submit(submission(jobId, { sourceApplicationId: 'ats-after' }))).status).toBe(201);
  await fixture.close();
  await storage.close();
  await pool.end();
});
