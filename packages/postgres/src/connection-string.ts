import { OperatorError } from '@partner-hiring/core';
import pg from 'pg';

const EMPTY =
  '`connectionString` is empty. If it comes from an environment variable such as DATABASE_URL, that variable is not set. ' +
  'To connect with PGHOST and the other variables that pg reads, pass `pool: new Pool()` instead.';

/**
 * Throws if `pg` cannot parse the connection string. Otherwise an invalid one would be retried like an
 * outage, and `pg` would read an empty one as a local database.
 */
export function assertReadable(connectionString: string): void {
  const given: unknown = connectionString ?? '';
  if (typeof given !== 'string') {
    throw new OperatorError(
      'MISCONFIGURED',
      '`connectionString` must be text. If you have a URL object, pass its `href`.',
    );
  }
  if (given.trim() === '') throw new OperatorError('MISCONFIGURED', EMPTY);
  try {
    new pg.Client({ connectionString });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      'MISCONFIGURED',
      `pg cannot read the connectionString (${reason}). It must be postgres://user:password@host:port/database. ` +
        'Characters of the password that have a meaning in a URL, such as # or /, must be percent-encoded.',
    );
  }
}
