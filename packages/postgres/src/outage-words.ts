export function wordsFor(state: string | null, message: string): string {
  if (state === null) return POOL_HAS_ENDED.test(message) ? ENDED_POOL : ANY;
  return BY_STATE[state] ?? ANY;
}

const ANY = 'The PostgreSQL database cannot be used.';

/** `pg` gives its own errors no code. */
const POOL_HAS_ENDED = /^Cannot use a pool after calling end/;

const ENDED_POOL =
  'The pool was ended while the storage had it. End a pool of yours behind `await partnerHiring.close()`; this process ' +
  'must be started anew.';

const BY_STATE: Readonly<Record<string, string>> = {
  // read_only_sql_transaction
  '25006':
    'The PostgreSQL server takes no writes. If it is no standby, `default_transaction_read_only` is on for the role, the ' +
    'database or the server: `alter role … set default_transaction_read_only = off` mends that.',
  // query_canceled
  '57014':
    'The PostgreSQL server cancelled a statement. If no operator did so, a `statement_timeout` of the role, the database or ' +
    'your pool is too short: `alter role … set statement_timeout = 0` mends that, the storage has a time-out of its own.',
  // transaction_timeout
  '25P04':
    'The PostgreSQL server ended a transaction: a `transaction_timeout` of the role, the database or your pool is too ' +
    'short. `alter role … set transaction_timeout = 0` mends that, the storage has time-outs of its own.',
};
