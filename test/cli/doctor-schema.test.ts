import { expect, test } from 'vitest';
import type { FindingState } from '../../packages/cli/src/index.js';
import { createEmptyStage, fillStage, IS_POSTGRES } from './doctor-stage.js';

test.each([
  [
    'was migrated by a newer, compatible release',
    "insert into ph_schema_migration values (999, 'from_the_future', 0, 1)",
    'warning',
    /999 \(from_the_future\).* may run on them/,
  ],
  [
    'was migrated by a newer, incompatible release',
    "insert into ph_schema_migration values (999, 'from_the_future', 0, null)",
    'failed',
    /999 \(from_the_future\).*may not run on them/,
  ],
  [
    'needs a release that knows a later migration',
    "insert into ph_schema_migration values (999, 'from_the_future', 0, 998)",
    'failed',
    /may not run on them/,
  ],
] as const)('the check of the schema version finds a database that %s', async (_, sql, state, says) => {
  const stage = createEmptyStage();
  await (await stage.open()).close();
  await stage.run(sql);
  const results = await stage.check();
  expect(results.get('schema-version')).toMatchObject({ state, finding: expect.stringMatching(says) });
  expect(results.get('schema-version')?.fix).not.toBeNull();
  expect(results.get('schema-drift')?.state).toBe('skipped');
  expect(results.get('worker')?.state).toBe(state === 'warning' ? 'ok' : 'skipped');
});

interface Drift {
  readonly name: string;
  readonly sql: string;
  readonly state: FindingState;
  readonly says: RegExp;
  /** Whether the fix is a statement that repairs it. */
  readonly isRepairable: boolean;
}

const ON_BOTH: readonly Drift[] = [
  {
    name: 'a missing index',
    sql: 'drop index ph_application_newest',
    state: 'failed',
    says: /the index ph_application_newest of ph_application is missing/,
    isRepairable: true,
  },
  {
    name: 'a missing unique index',
    sql: 'drop index ph_application_source_id',
    state: 'failed',
    says: /ph_application_source_id .* is missing/,
    isRepairable: true,
  },
  {
    name: 'a partial index without its condition',
    sql: 'drop index ph_endpoint_failing; create index ph_endpoint_failing on ph_endpoint (first_failure_at, key_id)',
    state: 'failed',
    says: /the index ph_endpoint_failing of ph_endpoint is `.*` instead of `.*/,
    isRepairable: true,
  },
  {
    name: "an index of the host's",
    sql: 'create index mine on ph_application (email)',
    state: 'warning',
    says: /the index mine of ph_application is not ours/,
    isRepairable: true,
  },
  {
    name: "a column of the host's",
    sql: 'alter table ph_job add column mine text',
    state: 'warning',
    says: /the column mine of ph_job is not ours/,
    isRepairable: true,
  },
  {
    name: 'a missing column',
    sql: 'alter table ph_endpoint drop column resumed_at',
    state: 'failed',
    says: /the column resumed_at of ph_endpoint is missing/,
    isRepairable: true,
  },
  {
    name: 'a missing table',
    sql: 'drop table ph_request',
    state: 'failed',
    says: /the table ph_request is missing/,
    isRepairable: false,
  },
  {
    name: "a table of the host's",
    sql: 'create table ph_mine (id text primary key)',
    state: 'warning',
    says: /the table ph_mine is not ours/,
    isRepairable: false,
  },
];

const ON_POSTGRES: readonly Drift[] = [
  {
    name: 'a column that allows null',
    sql: 'alter table ph_partner alter column name drop not null',
    state: 'failed',
    says: /the column name of ph_partner is `text` instead of `text not null`/,
    isRepairable: true,
  },
  {
    name: 'a column with another type and default',
    sql: 'alter table ph_inbox_entry alter column failures type integer, alter column failures set default 1',
    state: 'failed',
    says: /`integer not null default 1` instead of `bigint not null default 0`/,
    isRepairable: true,
  },
  {
    name: 'a missing foreign key',
    sql: 'alter table ph_job drop constraint ph_job_company_id_fkey',
    state: 'failed',
    says: /the constraint ph_job_company_id_fkey of ph_job is missing/,
    isRepairable: true,
  },
  {
    name: "a constraint of the host's",
    sql: "alter table ph_job add constraint mine check (title <> '')",
    state: 'failed',
    says: /the constraint mine of ph_job is not ours/,
    isRepairable: true,
  },
  {
    name: 'a column that the host requires',
    sql: 'alter table ph_job add column mine text not null',
    state: 'failed',
    says: /the column mine of ph_job is not ours/,
    isRepairable: true,
  },
];

const cases = IS_POSTGRES ? [...ON_BOTH, ...ON_POSTGRES] : ON_BOTH;

test.each(cases)('the check of the schema finds $name', async ({ sql, state, says, isRepairable }) => {
  const stage = createEmptyStage();
  await (await stage.open()).close();
  expect((await stage.check()).get('schema-drift')?.state).toBe('ok');
  await stage.run(sql);
  const found = (await stage.check()).get('schema-drift');
  expect(found).toMatchObject({ state, finding: expect.stringMatching(says) });

  const [, ...statements] = (found?.fix ?? '').split('\n');
  expect(statements.some((line) => line.startsWith('--'))).toBe(!isRepairable);
  if (!isRepairable) return;
  for (const statement of statements) await stage.runAlone(statement);
  expect((await stage.check()).get('schema-drift')).toMatchObject({ state: 'ok', fix: null });
});

test('the repair of an index works while the table has rows', async () => {
  const stage = createEmptyStage();
  await fillStage(stage);
  await stage.run('drop index ph_job_company_state');
  const [, statement = ''] = ((await stage.check()).get('schema-drift')?.fix ?? '').split('\n');
  await stage.runAlone(statement);
  expect((await stage.check()).get('schema-drift')?.state).toBe('ok');
});
