export function wordsFor(state: string | null, message: string): string {
  if (state === null) return POOL_HAS_ENDED.test(message) ? ENDED_POOL : ANY;
  return BY_STATE[state] ?? ANY;
}

const ANY = 'The PostgreSQL database cannot be used.';

/**
 * Matches the message of a pool that was ended. It compares the message, because `pg` gives its own errors no
 * code.
 */
const POOL_HAS_ENDED = /^Cannot use a pool after calling end/;

const ENDED_POOL =
  'The pool was ended while the storage was using it. ' +
  'Restart this process. In future, end your pool only after `await partnerHiring.close()`.';

const BY_STATE: Readonly<Record<string, string>> = {
  // read_only_sql_transaction
  '25006':
    'The PostgreSQL server accepts no writes. ' +
    'If it is not a standby, `default_transaction_read_only` is on for the role, the database or the server. ' +
    'To fix that, run `alter role … set default_transaction_read_only = off`.',
  // query_canceled
  '57014':
    'The PostgreSQL server cancelled a statement. ' +
    'If no operator did so, a `statement_timeout` of the role, the database or your pool is too short. ' +
    'To fix that, run `alter role … set statement_timeout = 0`: the storage has a timeout of its own.',
  // transaction_timeout
  '25P04':
    'The PostgreSQL server ended a transaction, because a `transaction_timeout` of the role, the database or your pool is too short. ' +
    'To fix that, run `alter role … set transaction_timeout = 0`: the storage has timeouts of its own.',
};
