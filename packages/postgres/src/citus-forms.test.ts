import { refusedByCitus } from '@partner-hiring/test-support/postgres/citus-tags';
import { createExplainedStorage } from '@partner-hiring/test-support/postgres/plan-reader';
import { PostgresQueryCompiler } from 'kysely';
import { expect, it } from 'vitest';
import { createPostgresDialect } from './dialect.js';
import { splitStatements } from './migration-sql.js';
import { postgresMigrations } from './migrations.js';

/** All statements of the storage, and their parts, on a node of Citus with the server's clock. */
function preparedStatements(): readonly string[] {
  const dialect = createPostgresDialect({
    schema: 'partner_hiring',
    announceWork: true,
    clock: null,
    isOnNode: true,
  });
  const compiler = new PostgresQueryCompiler();
  const texts = new Set<string>();
  const queries = dialect.queries.withPlugin({
    transformQuery: ({ node, queryId }) => {
      texts.add(compiler.compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  createExplainedStorage({ ...dialect, queries }, async () => ({ rows: [] }));
  return [...texts];
}

it('no prepared statement has a form that Citus refuses', () => {
  const statements = preparedStatements();
  expect(statements.length).toBeGreaterThan(150);
  expect(statements.some((sql) => sql.includes('statement_timestamp()'))).toBe(true);
  const refused = statements.flatMap((sql) => {
    const reason = refusedByCitus(sql);
    return reason === null ? [] : [`${reason}: ${sql}`];
  });
  expect(refused).toEqual([]);
});

it.each([
  ['insert into ph_a (b) values ((select 1))', 'a sub-select in `values`'],
  ['update ph_a set b = (select 1) where c = 2', 'a sub-select in `set`'],
  ['insert into ph_a (b) values ($1) on conflict (b) do update set b = (select 1)', 'a sub-select in `set`'],
  ['with x as (update ph_a set b = 1 returning b, $2::bigint as at) select * from x', '`returning`'],
  ['delete from ph_a returning b, floor(extract(epoch from statement_timestamp()))', '`returning`'],
  ["with x as (delete from ph_a) select set_config('a', 'b', true)", '`set_config`'],
  ['create table a (b int); create index c on a (b)', 'several statements'],
])('the check finds what Citus refuses in: %s', (sql, reason) => {
  expect(refusedByCitus(sql)).toContain(reason);
});

it.each([
  'insert into ph_a (b) select b from ph_c where d in (select 1) on conflict (b) do update set b = excluded.b',
  'update ph_a set b = $1 where c = (select 1) returning b',
  "begin; set local lock_timeout = '4s'",
])('the check accepts: %s', (sql) => {
  expect(refusedByCitus(sql)).toBeNull();
});

it('splits each migration into whole statements', () => {
  for (const { sql } of postgresMigrations()) {
    for (const line of sql.replace(/--.*$/gm, '').split('\n')) {
      expect(line.split("'").length % 2, line).toBe(1);
      expect(line).not.toMatch(/'[^']*;[^']*'/);
    }
    for (const statement of splitStatements(sql)) {
      expect(statement).toMatch(/^(?:create|alter|drop|insert|update|delete) /);
    }
  }
});
