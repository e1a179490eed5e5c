import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { expect, it, vi } from 'vitest';
import { combineStatements } from './combine-statements.js';
import { define, makeAtOnce, type Param } from './statement.js';

const queries = new Kysely<{ readonly job: { readonly id: string } }>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const find = (param: Param<{ readonly id: string }>) =>
  queries.selectFrom('job').select('id').where('id', '=', param('id'));

it('compiles a statement once, when it first runs', () => {
  const build = vi.fn(find);
  const statement = define(build);
  expect(build).not.toHaveBeenCalled();
  expect(statement.sql).toBe('select "id" from "job" where "id" = ?');
  expect(statement.bind({ id: 'a' })).toEqual(['a']);
  expect(statement.bind({ id: 'b' })).toEqual(['b']);
  expect(statement.takesItem).toBe(false);
  expect(build).toHaveBeenCalledTimes(1);
});

it('combines statements when the whole first runs', () => {
  const build = vi.fn(find);
  const statement = combineStatements({ found: define(build) }, define(find));
  expect(build).not.toHaveBeenCalled();
  expect(statement.bind({ found: { id: 'a' }, main: { id: 'b' } })).toEqual(['a', 'b']);
  expect(build).toHaveBeenCalledTimes(1);
});

it('compiles all statements at once for a test that looks at them', () => {
  const build = vi.fn(find);
  makeAtOnce(() => define(build));
  expect(build).toHaveBeenCalledTimes(1);
  define(build);
  expect(build).toHaveBeenCalledTimes(1);
});
