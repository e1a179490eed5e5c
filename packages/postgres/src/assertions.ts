import type { Assertions } from '@partner-hiring/storage-kysely';
import { type RawBuilder, sql } from 'kysely';
import { isDivisionByZero } from './errors.js';

/**
 * Conditions of one statement, as arms of a `case`: the one thing of which PostgreSQL says that it is evaluated in
 * its order, and no further than it must. What none of the parts' rows is, is null, and so not true.
 */
export const PRESUMPTIONS: Assertions = {
  all: (conditions) => {
    const arms = conditions.map((holds) => sql`when (${holds}) is not true then 0`);
    const held: RawBuilder<number> = sql`1 / case ${sql.join(arms, sql` `)} else 1 end`;
    return held;
  },
  isFailure: isDivisionByZero,
};
