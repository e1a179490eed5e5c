import { createPostgresStorage } from '@partner-hiring/postgres';
import {
  createTestSchema,
  namesOfSchemas,
  type TestSchema,
} from '@partner-hiring/test-support/postgres/database';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CheckResult, runDoctor } from '../../packages/cli/src/index.js';
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

async function check(schemas: readonly string[]): Promise<ReadonlyMap<string, CheckResult>> {
  const { connectionString } = database;
  const { checks } = await runDoctor({ database: { kind: 'postgres', connectionString, schemas } });
  return new Map(checks.map((each) => [each.name, each]));
}

test('the doctor looks at each cell', async () => {
  const schemas = [home, second, third];
  await open(schemas);
  await database.run(`drop index ${third}.ph_application_newest`);
  await database.run(`delete from ${second}.ph_schema_migration where version > 30`);
  const results = await check(schemas);
  expect(results.get('cells')).toMatchObject({ state: 'ok', finding: 'All 3 cells are open.' });
  expect(results.get('schema-version')?.state).toBe('ok');
  expect(results.get(`schema-version of ${second}`)?.state).toBe('failed');
  expect(results.get('schema-drift')?.state).toBe('ok');
  expect(results.get(`schema-drift of ${third}`)).toMatchObject({
    state: 'failed',
    fix: expect.stringContaining(`"${third}"`),
  });

  const argv = ['doctor', '--schemas', schemas.join(',')];
  const { code, stdout } = await runCli(argv, { env: { DATABASE_URL: database.connectionString } });
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^failed +schema-drift of ${third} `, 'm'));
});

test('the check of the cells finds those that were not named, and a wrong order', async () => {
  await open([home, second, third]);
  expect((await check([home])).get('cells')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining(`not checked: ${second}, ${third}.`),
    fix: expect.stringContaining(`--schemas ${home},${second},${third}`),
  });
  expect((await check([second, home, third])).get('cells')).toMatchObject({
    state: 'failed',
    finding: `${home} is the home cell, but it is not the first schema.`,
    fix: expect.stringContaining(`--schemas ${home},${second},${third}`),
  });
});

test('the check of the cells warns about a cell until it is open, and its fix opens it', async () => {
  await open([home, second]);
  await open([third]);
  await database.run(
    `insert into ${home}.ph_company (id, name, world, created_at) values ('co_1', 'Bistro', 'sandbox', 0)`,
  );
  const schemas = [home, second, third];
  expect((await check(schemas)).get('cells')).toMatchObject({
    state: 'warning',
    finding: `These schemas are not cells yet: ${third}.`,
  });
  await open(schemas);
  const closed = (await check(schemas)).get('cells');
  expect(closed).toMatchObject({ state: 'warning', finding: expect.stringContaining(third) });
  const [program, ...words] = (closed?.fix ?? '').split(' ');
  expect(program).toBe('partner-hiring');
  await runCli(words, { env: { DATABASE_URL: database.connectionString } });
  expect((await check(schemas)).get('cells')?.state).toBe('ok');
});
