import type { Instant, TimeRepository } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';

export const prepareTime: Prepare<TimeRepository> = ({ queries, storageNow, now }) => {
  const readClock = define((param: Param<{ now: Instant }>) =>
    queries.selectNoFrom(sql<Instant>`${storageNow(param('now'))}`.as('at')),
  );
  return {
    now: (session) =>
      session.read(async (run) => {
        const row = await run.first(readClock, { now: now() });
        if (row === null) throw new Error('The clock statement must return a row.');
        return row.at;
      }),
  };
};
