/** Runs transactions and submissions on request, without sockets, and says how much processor time each took. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring, type Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Sqlite from 'better-sqlite3';
import { Pool } from 'pg';
import { seedBenchmark, submit, UNREACHED } from './seed.js';

/** What to run. `bare` is an empty transaction of the driver. */
export interface Transacting {
  readonly work: 'empty' | 'bare' | 'submission';
  readonly count: number;
  readonly inFlight: number;
}

const [connectionString] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'bench.sqlite');

const storage: Storage<never> =
  connectionString === undefined
    ? await createSqliteStorage({ file })
    : await createPostgresStorage({ connectionString });
const api = createPartnerHiring({
  storage,
  secretKey: '0123456789abcdef'.repeat(4),
  limits: { submit_application: UNREACHED },
});
const [partner] = await seedBenchmark(api);
if (partner === undefined) throw new Error('No partner was seeded.');
const { secret, jobId } = partner;

const WORK: Readonly<Record<Transacting['work'], () => Promise<unknown>>> = {
  empty: () => storage.transaction(async () => {}),
  bare: connectionString === undefined ? onDriver(new Sqlite(file)) : onPool(new Pool({ connectionString })),
  submission: () => submit(api, secret, jobId),
};

function onDriver(handle: Sqlite.Database): () => Promise<unknown> {
  const [begin, commit] = [handle.prepare('begin immediate'), handle.prepare('commit')];
  return async () => {
    begin.run();
    commit.run();
  };
}

function onPool(pool: Pool): () => Promise<unknown> {
  return async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query('commit');
    client.release();
  };
}

/** Returns the microseconds of each call. */
async function processorTime({ work, count, inFlight }: Transacting): Promise<number> {
  const before = process.cpuUsage();
  let left = count;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      await WORK[work]();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

process.on('message', (asked: Transacting) => {
  void processorTime(asked).then((us) => process.send?.({ us }));
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
process.send?.({ port: 0 });
