import { expect, it } from 'vitest';
import { combineStatements } from './combine-statements.js';
import type { Statement } from './statement.js';

function statementOf(sql: string, ...names: string[]): Statement<Readonly<Record<string, unknown>>, unknown> {
  return { sql, bind: (values) => names.map((name) => values[name]), takesItem: false };
}

const PARTS = {
  found: statementOf('select * from "a" where "id" = $1 and "at" < $2', 'id', 'now'),
  added: statementOf('insert into "a" values ($1)', 'id'),
  taken: statementOf('update "b" set "at" = $1 returning "at"', 'now'),
};
const main: Statement<{ limit: number }, { held: number }> = {
  sql: 'select $1 as held',
  bind: ({ limit }) => [limit],
  takesItem: false,
};

it('numbers the parameters across all parts', () => {
  expect(combineStatements(PARTS, main).sql).toBe(
    'with "found" as (select * from "a" where "id" = $1 and "at" < $2), ' +
      '"added" as (insert into "a" values ($3) returning 1 as written), ' +
      '"taken" as (update "b" set "at" = $4 returning "at") select $5 as held',
  );
});

it('binds the values of the parts in order', () => {
  const values = {
    found: { id: 'x', now: 7 },
    added: { id: 'y', now: 8 },
    taken: { now: 9 },
    main: { limit: 3 },
  };
  expect(combineStatements(PARTS, main).bind(values)).toEqual(['x', 7, 'y', 9, 3]);
});

it('does not renumber quoted text', () => {
  const parts = {
    first: statementOf('select * from "odd ""$1" where "id" = $1 and "x" = \'it\'\'s $2\'', 'id'),
    second: statementOf('select $1 from "odd ""$1"', 'id'),
  };
  expect(combineStatements(parts, main).sql).toBe(
    'with "first" as (select * from "odd ""$1" where "id" = $1 and "x" = \'it\'\'s $2\'), ' +
      '"second" as (select $2 from "odd ""$1") select $3 as held',
  );
});
