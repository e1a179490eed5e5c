import { createPostgresStorage } from '@partner-hiring/postgres';
import {
  createTestSchema,
  namesOfSchemas,
  type TestSchema,
} from '@partner-hiring/test-support/postgres/database';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DoctorResult, runDoctor } from '../../packages/cli/src/index.js';
import { migrateTo } from '../../packages/postgres/src/migrate-postgres.js';
import { installNextRelease, ON_POSTGRES } from './next-release.js';
import { runCli } from './run-cli.js';

let database: TestSchema;
let home: string;
let second: string;
let third: string;

beforeEach(() => {
  database = createTestSchema(undefined, 3);
  [home = '', second = '', third = ''] = namesOfSchemas(database);
});
afterEach(() => database.drop());

async function open(schemas: readonly string[]): Promise<void> {
  const { connectionString } = database;
  await (await createPostgresStorage({ connectionString, schemas })).close();
}

async function check(schemas: readonly string[]): Promise<ReadonlyMap<string, DoctorResult>> {
  const { connectionString } = database;
  const { checks } = await runDoctor({ database: { kind: 'postgres', connectionString, schemas } });
  return new Map(checks.map((each) => [each.name, each]));
}

test('the doctor looks at each cell', async () => {
  const schemas = [home, second, third];
  await open(schemas);
  await database.run(`drop index ${third}.ph_application_newest`);
  const results = await check(schemas);
  expect(results.get('schema-list')).toMatchObject({ state: 'ok', finding: 'All 3 cells are open.' });
  expect(results.get('schema-version')?.state).toBe('ok');
  expect(results.get(`schema-version of ${second}`)?.state).toBe('ok');
  expect(results.get('schema')?.state).toBe('ok');
  expect(results.get(`schema of ${third}`)).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('ph_application_newest'),
  });

  const argv = ['doctor', '--schemas', schemas.join(',')];
  const { code, stdout } = await runCli(argv, { env: { DATABASE_URL: database.connectionString } });
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^failed +schema of ${third} `, 'm'));
});

test('the doctor names a cell that lags behind a migration of the others', async () => {
  const { connectionString } = database;
  const schemas = [home, second, third];
  await open(schemas);
  await migrateTo(ON_POSTGRES, { connectionString, schemas: [home, third] });
  installNextRelease();
  const results = await check(schemas);
  for (const name of ['schema-version', `schema-version of ${third}`]) {
    expect(results.get(name)?.state).toBe('ok');
  }
  expect(results.get(`schema-version of ${second}`)).toMatchObject({
    state: 'failed',
    finding: 'The tables lack 6 migrations of this release, from 2 (add_column) on.',
  });
  const lacking = await migrateTo(ON_POSTGRES, { connectionString, schemas });
  expect(lacking.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6, 7]);
  expect((await check(schemas)).get(`schema-version of ${second}`)?.state).toBe('ok');
});

test('the check of the cells finds those that were not named, and a wrong order', async () => {
  await open([home, second, third]);
  expect((await check([home])).get('schema-list')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining(`not checked: ${second}, ${third}.`),
    fix: expect.stringContaining(`--schemas ${home},${second},${third}`),
  });
  expect((await check([second, home, third])).get('schema-list')).toMatchObject({
    state: 'failed',
    finding: `${home} is the home cell, but it is not the first schema.`,
    fix: expect.stringContaining(`--schemas ${home},${second},${third}`),
  });
});

test('the check of the cells warns about a cell until it is open, and its fix opens it', async () => {
  await open([home, second]);
  await open([third]);
  await database.run(
    `insert into ${home}.ph_company (id, name, environment, created_at) values ('co_1', 'Bistro', 'sandbox', 0)`,
  );
  const schemas = [home, second, third];
  expect((await check(schemas)).get('schema-list')).toMatchObject({
    state: 'warning',
    finding: `These schemas are not cells yet: ${third}.`,
  });
  await open(schemas);
  const closed = (await check(schemas)).get('schema-list');
  expect(closed).toMatchObject({ state: 'warning', finding: expect.stringContaining(third) });
  const [program, ...words] = (closed?.fix ?? '').split(' ');
  expect(program).toBe('partner-hiring');
  await runCli(words, { env: { DATABASE_URL: database.connectionString } });
  expect((await check(schemas)).get('schema-list')?.state).toBe('ok');
});
