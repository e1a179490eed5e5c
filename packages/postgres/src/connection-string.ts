import { OperatorError } from '@partner-hiring/core';
import pg from 'pg';

const EMPTY =
  '`connectionString` is empty. If it comes from a variable of the environment, such as DATABASE_URL, that is not set. ' +
  'Where PGHOST and its like say which database it is, give `pool: new Pool()` to a storage.';

/** An invalid address would be retried as an outage, and `pg` takes an empty one for a local database. */
export function assertReadable(connectionString: string): void {
  const given: unknown = connectionString ?? '';
  if (typeof given !== 'string') {
    throw new OperatorError('MISCONFIGURED', '`connectionString` must be text; of a URL, its `href`.');
  }
  if (given.trim() === '') throw new OperatorError('MISCONFIGURED', EMPTY);
  try {
    new pg.Client({ connectionString });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      'MISCONFIGURED',
      `pg cannot read the connectionString (${reason}). It must be postgres://user:password@host:port/database, ` +
        'with what means something in a URL, such as # or /, percent-encoded in the password.',
    );
  }
}
