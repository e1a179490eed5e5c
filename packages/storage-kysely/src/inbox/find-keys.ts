import type { InboxRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import { type Expression, sql } from 'kysely';
import { walkKeys } from '../index-walk.js';
import { ONE } from '../look-ups.js';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { defineFindErasureKeys } from './inbox-erasures.js';

/** Bounds a call to about a millisecond. */
const MOST_KEYS = 100;

/** Finds keys by a loose scan of the index of new entries, and by their due retries and erasures. */
export const prepareFindKeys: Prepare<Pick<InboxRepository, 'findKeys'>> = (preparation) => {
  const { queries } = preparation;
  const walk = defineWalk(preparation);
  const findDue = define((param: Param<{ now: Instant }>) =>
    queries
      .selectFrom('ph_inbox_entry')
      .select('key_id')
      .where('retry_at', '<=', param('now'))
      .orderBy('retry_at')
      .limit(sql.lit(MOST_KEYS)),
  );

  const findErased = defineFindErasureKeys(preparation, MOST_KEYS);

  /** Where the next walk starts if more keys remain. */
  let after: KeyId | '' = '';

  return {
    findKeys: (session, now) =>
      session.read(async (run) => {
        const walked = (await run.all(walk, { after })).map(({ key_id }) => key_id);
        after = (walked.length === MOST_KEYS && walked.at(-1)) || '';
        const due = (await run.all(findDue, { now })).map(({ key_id }) => key_id);
        const erased = (await run.all(findErased, { now })).map(({ key_id }) => key_id);
        return [...new Set([...walked, ...due, ...erased])];
      }),
  };
};

function defineWalk(preparation: Preparation) {
  const firstBehind = (key: Expression<KeyId>) =>
    preparation.queries
      .selectFrom('ph_inbox_entry as entry')
      .select('entry.key_id')
      .where('entry.key_id', '>', key)
      .where('entry.retry_at', 'is', null)
      .orderBy('entry.key_id')
      .limit(ONE);
  return define((param: Param<{ after: KeyId | '' }>) =>
    walkKeys(preparation, firstBehind, { after: param('after'), most: MOST_KEYS }),
  );
}
