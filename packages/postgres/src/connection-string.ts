import { OperatorError } from '@partner-hiring/core';
import { Client } from 'pg';

/**
 * Reads it as `pg` will. A fault in it is then no outage: trying again would not help.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function assertReadable(connectionString: string): void {
  try {
    new Client({ connectionString });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      'MISCONFIGURED',
      `pg cannot read the connectionString (${reason}). It must be postgres://user:password@host:port/database, ` +
        'with what means something in a URL, such as # or /, percent-encoded in the password.',
    );
  }
}
