import { StorageUnavailable } from '@partner-hiring/core';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { runScript } from '@partner-hiring/test-support/postgres/schemas';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { sampleCompany, samplePartner } from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import { postgresMigrationSql } from './migration-sql.js';
import { postgresMigrations } from './migrations.js';

const database = createTestSchema();
const { schema, run } = database;
const role = `role_${schema}`;
const GRANTS = postgresMigrationSql({ schema, from: postgresMigrations().length, grantTo: role });
await run(`create role ${role} login password 'secret'`);
await runScript(run, postgresMigrationSql({ schema, grantTo: role }));
const url = new URL(database.connectionString);
url.username = role;
url.password = 'secret';
const storage = await createPostgresStorage({ connectionString: url.href, schema, migrate: 'never' });
const host = new Client({ connectionString: url.href });
await host.connect();
afterAll(async () => {
  await host.end();
  await storage.close();
  await run(`drop owned by ${role}`);
  await run(`drop role ${role}`);
  await database.drop();
});

const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a read', () => storage.direct.partners.list()],
  ['a write', () => storage.direct.companies.save(sampleCompany())],
  ['a transaction', () => storage.transaction((tx) => tx.companies.save(sampleCompany()))],
  ['a count', () => storage.direct.rateWindows.charge([{ bucketId: 'a', cost: 1 }])],
  ['a call within a host’s transaction', withinHost],
];

async function withinHost(): Promise<unknown> {
  await host.query('begin');
  try {
    return await storage.within(host).partners.list();
  } finally {
    await host.query('rollback');
  }
}

it.each([
  [
    'the role loses the rights on the tables',
    `revoke all on all tables in schema ${schema} from ${role}`,
    GRANTS,
    'postgresMigrationSql',
  ],
  [
    'the role loses the rights on the schema',
    `revoke usage on schema ${schema} from ${role}`,
    GRANTS,
    'postgresMigrationSql',
  ],
  [
    'the schema is renamed',
    `alter schema ${schema} rename to ${schema}_away`,
    `alter schema ${schema}_away rename to ${schema}`,
    'under its name',
  ],
])(
  'when %s, the storage is unavailable and names the fix, until it is done',
  async (_, change, fix, words) => {
    await run(change);
    const failures = await Promise.all(calls.map(([, call]) => call().catch((error: unknown) => error)));
    await run(fix);
    for (const [index, [what]] of calls.entries()) {
      expect(failures[index], what).toBeInstanceOf(StorageUnavailable);
      expect(String(failures[index]), what).toContain(words);
    }
    for (const [, call] of calls) await call();
  },
);

it('adds the other rows of a batch if a policy rejects one', async () => {
  await run(`alter table ${schema}.ph_partner enable row level security`);
  const failure = await storage.direct.partners
    .add(samplePartner('ptn_refused'))
    .catch((error: unknown) => error);
  await run(`alter table ${schema}.ph_partner disable row level security`);
  expect(failure).toMatchObject({ message: expect.stringContaining('row-level security') });
  expect(failure).not.toBeInstanceOf(StorageUnavailable);
});
