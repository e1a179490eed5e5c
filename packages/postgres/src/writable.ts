import { OperatorError } from '@partner-hiring/core';
import { toStorageError } from './errors.js';
import type { Connections } from './pool.js';

/** The setting of a role in a database outdoes those of the role, the database and the server. */
const ASK = `select current_setting('default_transaction_read_only') as setting, format(
  'alter role %I in database %I set default_transaction_read_only = off', session_user, current_database()) as fix`;

/**
 * Our transactions say that they write, but a statement that is one by itself cannot: where the default is otherwise,
 * operator commands would work and submissions fail.
 *
 * @throws OperatorError `MISCONFIGURED` if the role or the database makes transactions read-only.
 */
export async function assertWritable(connections: Connections): Promise<void> {
  const { rows } = await connections
    .lend(({ statement }) => statement(ASK, []))
    .catch((error: unknown) => {
      throw toStorageError(error);
    });
  const { setting, fix } = rows[0] as { readonly setting: string; readonly fix: string };
  if (setting === 'off') return;
  throw new OperatorError(
    'MISCONFIGURED',
    'The server makes the transactions of this role read-only: `default_transaction_read_only` is on, and no ' +
      `submission could be stored. Run \`${fix}\`, and open the storage on new connections. If it is your pool's own ` +
      '`options` that say so, leave that out.',
  );
}
