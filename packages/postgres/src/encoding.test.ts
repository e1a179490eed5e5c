import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleCompany } from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';

const { connectionString, schema } = createTestSchema();
let administrator: Client;
beforeEach(async () => {
  administrator = new Client({ connectionString });
  await administrator.connect();
});
afterEach(async () => {
  await administrator.query(`drop database if exists ${schema} with (force)`);
  await administrator.end();
});

async function createDatabase(encoding: string): Promise<string> {
  await administrator.query(`create database ${schema} template template0 encoding '${encoding}' locale 'C'`);
  const url = new URL(connectionString);
  url.pathname = `/${schema}`;
  return url.href;
}

it.each(['at_start', 'never'] as const)(
  'rejects a database that cannot store every name, naming the fix (%s)',
  async (migrate) => {
    const opening = createPostgresStorage({ connectionString: await createDatabase('LATIN1'), migrate });
    await expect(opening).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringMatching(/LATIN1.*UTF8/s),
    });
  },
);

it('accepts SQL_ASCII, which stores any bytes', async () => {
  const storage = await createPostgresStorage({ connectionString: await createDatabase('SQL_ASCII') });
  const { companies } = storage.direct;
  const company = { ...sampleCompany(), name: 'Łódź 李 😀' };
  await companies.addMissing([company]);
  expect(await companies.find(company.id)).toEqual(company);
  await storage.close();
});
