import { expect, test } from 'vitest';
import type { FindingState } from '../../packages/cli/src/index.js';
import { createEmptyStage, type DoctorStage, IS_POSTGRES } from './doctor-stage.js';

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
  expect(results.get('schema')?.state).toBe('skipped');
  expect(results.get('storage')?.state).toBe(state === 'warning' ? 'ok' : 'skipped');
});

interface Drift {
  readonly name: string;
  readonly sql: string;
  readonly state: FindingState;
  readonly says: RegExp;
}

const ON_BOTH: readonly Drift[] = [
  {
    name: 'a missing index',
    sql: 'drop index ph_application_newest',
    state: 'failed',
    says: /the index ph_application_newest of ph_application is missing: `create index ph_application_newest on .*`/i,
  },
  {
    name: 'a missing unique index',
    sql: 'drop index ph_application_source_id',
    state: 'failed',
    says: /ph_application_source_id .* is missing/,
  },
  {
    name: 'a partial index without its condition',
    sql: 'drop index ph_endpoint_failing; create index ph_endpoint_failing on ph_endpoint (first_failure_at, key_id)',
    state: 'failed',
    says: /the index ph_endpoint_failing of ph_endpoint is `.*` instead of `.*/,
  },
  {
    name: "an index of the host's",
    sql: 'create index mine on ph_application (email)',
    state: 'warning',
    says: /the index mine of ph_application is not ours/,
  },
  {
    name: "a column of the host's",
    sql: 'alter table ph_job add column mine text',
    state: 'warning',
    says: /the column mine of ph_job is not ours/,
  },
  {
    name: 'a missing column',
    sql: 'alter table ph_endpoint drop column resumed_at',
    state: 'failed',
    says: /the column resumed_at of ph_endpoint is missing/,
  },
  {
    name: 'a missing table',
    sql: 'drop table ph_request',
    state: 'failed',
    says: /the table ph_request is missing/,
  },
  {
    name: "a table of the host's",
    sql: 'create table ph_mine (id text primary key)',
    state: 'warning',
    says: /the table ph_mine is not ours\.$/,
  },
  {
    name: 'two differences of two tables, and counts no part of a missing table',
    sql: 'drop table ph_request; drop index ph_operation_due',
    state: 'failed',
    says: /^The schema was changed: the index ph_operation_due .*; the table ph_request is missing\.$/,
  },
];

const ON_POSTGRES: readonly Drift[] = [
  {
    name: 'a column that allows null',
    sql: 'alter table ph_partner alter column name drop not null',
    state: 'failed',
    says: /the column name of ph_partner is `text` instead of `text not null`/,
  },
  {
    name: 'a column with another type and default',
    sql: 'alter table ph_inbox_entry alter column failures type integer, alter column failures set default 1',
    state: 'failed',
    says: /`integer not null default 1` instead of `bigint not null default 0`/,
  },
  {
    name: 'a missing foreign key',
    sql: 'alter table ph_job drop constraint ph_job_company_id_fkey',
    state: 'failed',
    says: /the constraint ph_job_company_id_fkey of ph_job is missing/,
  },
  {
    name: "a constraint of the host's",
    sql: "alter table ph_job add constraint mine check (title <> '')",
    state: 'failed',
    says: /the constraint mine of ph_job is not ours/,
  },
  {
    name: "a trigger of the host's",
    sql: `create function mine() returns trigger language plpgsql as 'begin return new; end';
      create trigger mine before insert on ph_job for each row execute function mine()`,
    state: 'warning',
    says: /the trigger mine of ph_job is not ours/,
  },
  {
    name: 'a table that a crash empties',
    sql: 'alter table ph_alert set unlogged',
    state: 'failed',
    says: /the table ph_alert is `unlogged table` instead of `table`/,
  },
  {
    name: 'a partitioned table and its partition',
    sql: `drop table ph_hour_count; create table ph_hour_count (kind text) partition by list (kind);
      create table ph_hour_count_1 partition of ph_hour_count default`,
    state: 'failed',
    says: /the table ph_hour_count is `partitioned table` instead of `table`; the table ph_hour_count_1 is not ours/,
  },
  {
    name: 'a column that the host requires',
    sql: 'alter table ph_job add column mine text not null',
    state: 'failed',
    says: /the column mine of ph_job is not ours/,
  },
];

const ON_SQLITE: readonly Drift[] = [
  {
    name: 'a missing trigger',
    sql: 'drop trigger ph_rewrite_resume',
    state: 'failed',
    says: /the trigger ph_rewrite_resume of ph_resume_removal is missing/,
  },
  {
    name: "a trigger of the host's",
    sql: 'create trigger mine after delete on ph_job begin select 1; end',
    state: 'warning',
    says: /the trigger mine of ph_job is not ours/,
  },
  {
    name: 'a table with other types, defaults and constraints',
    sql: `drop table ph_rewrite;
      create table ph_rewrite (one integer not null primary key, count text not null default 1, since integer)`,
    state: 'failed',
    says: /count of ph_rewrite is `text not null default 1` instead of `integer not null`; .*check \(one = 1\) .* missing.*strict/,
  },
];

const cases = [...ON_BOTH, ...(IS_POSTGRES ? ON_POSTGRES : ON_SQLITE)];

test.each(cases)('the check of the schema finds $name', async ({ sql, state, says }) => {
  const stage = createEmptyStage();
  await (await stage.open()).close();
  await stage.run(sql);
  const found = (await stage.check()).get('schema');
  expect(found).toMatchObject({ state, finding: expect.stringMatching(says) });
  expect(found?.fix).toContain('undo it');
});

test('the check of the schema finds no difference in new tables, and leaves nothing behind', async () => {
  const stage = createEmptyStage();
  await (await stage.open()).close();
  const listAll = () =>
    stage.rows(
      IS_POSTGRES
        ? `select n.nspname, c.relname from pg_catalog.pg_class c right join pg_catalog.pg_namespace n on n.oid = c.relnamespace
           where n.nspname like '%temp%' or n.nspname in ('public', '${schemaOf(stage)}') order by 1, 2`
        : 'select type, name, sql from sqlite_schema order by 1, 2',
    );
  const before = await listAll();
  expect((await stage.check()).get('schema')).toMatchObject({ state: 'ok', fix: null });
  expect(await listAll()).toEqual(before);
});

function schemaOf({ database }: DoctorStage): string {
  return database.kind === 'postgres' ? (database.schema ?? '') : '';
}
