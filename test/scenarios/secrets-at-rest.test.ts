/** What somebody finds who reads the whole database, or a backup of it. Contract: 4.1, 4.2. */
import { randomUUID } from 'node:crypto';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, send, submission } from '@partner-hiring/test-support/partner';
import { createTestDatabase, type Host } from '@partner-hiring/test-support/storages';
import { expect, it } from 'vitest';
import { hashSecret } from '../../packages/core/src/domain/partner-key.js';

const TABLES_OF_SQLITE = "select name from sqlite_master where type = 'table'";
const TABLES_OF_POSTGRES =
  'select table_name as name from information_schema.tables where table_schema = current_schema()';

/** Every row of every table, as text. */
async function readAll(host: Host): Promise<string> {
  const isPostgres = process.env.STORAGE === 'postgres';
  const tables = (await host.rows(isPostgres ? TABLES_OF_POSTGRES : TABLES_OF_SQLITE)) as readonly {
    readonly name: string;
  }[];
  expect(tables.map(({ name }) => name)).toContain('ph_key_secret');
  const rows: unknown[] = [];
  for (const { name } of tables) rows.push(await host.rows(`select * from "${name}"`));
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

it('no table contains an API key or a signing secret, only the hashes of keys', async () => {
  const [database, clock] = [await createTestDatabase(), createFakeClock()];
  const fixture = await createFixture({ storage: await database.open(clock) }, {}, clock);
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  expect((await partner.submit(submission(jobId), randomUUID())).status).toBe(201);
  const rotated = await fixture.operator.keys.rotate({ id: partner.keyId });
  const { signingSecret } = await fixture.operator.endpoints.rotateSecret({ keyId: partner.keyId });
  const headers = { authorization: `Bearer ${rotated.secret}` };
  expect((await send(fixture, 'GET', '/jobs', { headers })).status).toBe(200);
  await fixture.partnerHiring.worker.drain();

  const host = await database.host();
  const stored = await readAll(host);
  const secrets = [partner.secret, rotated.secret, partner.signingSecret ?? '', signingSecret];
  for (const secret of secrets) {
    expect(secret).toMatch(/^(?:pek_live_|whsec_).{43}/);
    // Neither with its prefix nor without.
    expect(stored).not.toContain(secret.replace(/^(?:pek_live_|whsec_)/, ''));
  }
  for (const secret of [partner.secret, rotated.secret]) expect(stored).toContain(hashSecret(secret));
  await host.close();
  await fixture.close();
  await database.remove();
});
