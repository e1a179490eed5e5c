import type { Presumptions } from '@partner-hiring/storage-kysely';
import { type RawBuilder, sql } from 'kysely';
import { isDivisionByZero } from './errors.js';

/**
 * Conditions of one statement, as arms of a `case`: the one thing of which PostgreSQL says that it is evaluated in
 * its order, and no further than it must. What none of the parts' rows is, is null, and so not true.
 *
 * @param lockMs - how long the statement waits for a row that another transaction holds. It is a setting of the
 *   statement's own transaction, like those of a transaction of several statements.
 */
export function createPresumptions(lockMs: number): Presumptions {
  return {
    waits: sql<boolean>`set_config('lock_timeout', ${sql.lit(String(lockMs))}, true) is not null`,
    isRow: (part, row, leftOut = []) => {
      const columns = leftOut.map((column) => sql` - ${sql.lit(column)}`);
      const found = sql`select to_jsonb(${sql.id(part)})${sql.join(columns, sql``)} from ${sql.id(part)}`;
      return sql<boolean>`(${found}) = ${row}::jsonb`;
    },
    all: (conditions) => {
      const arms = conditions.map((holds) => sql`when (${holds}) is not true then 0`);
      const held: RawBuilder<number> = sql`1 / case ${sql.join(arms, sql` `)} else 1 end`;
      return held;
    },
    isFailure: isDivisionByZero,
  };
}
