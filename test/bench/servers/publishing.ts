/** Publishes many jobs on request, and says how long it took. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring, type Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { benchJob } from './seed.js';

const [connectionString] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const storage: Storage<never> =
  connectionString === undefined
    ? await createSqliteStorage({ file: join(folder, 'bench.sqlite') })
    : await createPostgresStorage({ connectionString });
const { operator } = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
const { id: partnerId } = await operator.partners.create({ name: 'Bench ATS' });
const { key } = await operator.keys.issue({ partnerId, environment: 'production' });

/** Publishes jobs of a company of their own, which one key sees. Returns the milliseconds. */
async function publish(count: number): Promise<number> {
  const { id } = await operator.companies.create({ name: 'Bench & Sons', environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId: id });
  const jobs = Array.from({ length: count }, (_, index) => benchJob(id, index));
  const startedAt = performance.now();
  await operator.jobs.publish(jobs);
  return performance.now() - startedAt;
}

process.on('message', ({ count }: { readonly count: number }) => {
  void publish(count).then((ms) => process.send?.({ ms }));
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
process.send?.({ port: 0 });
