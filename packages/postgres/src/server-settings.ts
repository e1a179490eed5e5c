import { OperatorError } from '@partner-hiring/core';
import { warnOnce } from '@partner-hiring/storage-kysely';
import { HAS_CITUS } from './citus.js';
import { toStorageError } from './errors.js';
import type { Connections } from './pool.js';
import { retryContention } from './retry.js';
import { refusalOfStatementMode } from './statement-mode.js';
import { runTransaction } from './transaction.js';

/** The setting of a role in a database outdoes those of the role, the database and the server. */
const ASK = `select
  current_setting('default_transaction_read_only') as "readOnly",
  current_setting('synchronous_commit') as commits,
  current_setting('fsync') as fsync,
  ${HAS_CITUS} as "hasCitus",
  format('alter role %I in database %I set ', session_user, current_database()) as "alterRole"`;

interface Settings {
  readonly readOnly: string;
  readonly commits: string;
  readonly fsync: string;
  readonly alterRole: string;
  readonly hasCitus: 0 | 1;
}

/**
 * Looks at what the server, the database, the role or the pool has set and our statements rest on. What endangers
 * only what a crash would find is warned of: machines for development and tests are set so on purpose.
 *
 * @returns whether the database has Citus.
 * @throws OperatorError `MISCONFIGURED` if the role or the database makes transactions read-only, or if a pooler in
 *   statement mode forbids transactions.
 */
export async function checkServerSettings(connections: Connections): Promise<{ readonly hasCitus: boolean }> {
  // In a transaction, because a pooler in statement mode refuses no statement outside one.
  const ask = () =>
    connections.lend((connection) =>
      runTransaction(connection, 'begin', ({ executeEarly }) => executeEarly(ASK, [[]])),
    );
  const { rows } = await retryContention(ask).catch((error: unknown) => {
    throw refusalOfStatementMode(error) ?? toStorageError(error);
  });
  const settings = rows[0] as Settings;
  assertWritable(settings);
  for (const hazard of hazardsOf(settings)) warnOnce(hazard);
  return { hasCitus: settings.hasCitus === 1 };
}

/**
 * Our transactions say that they write, but a statement that is one by itself cannot: where the default is otherwise,
 * operator commands would work and submissions fail.
 */
function assertWritable({ readOnly, alterRole }: Settings): void {
  if (readOnly === 'off') return;
  throw new OperatorError(
    'MISCONFIGURED',
    'The server makes the transactions of this role read-only: `default_transaction_read_only` is on, and no ' +
      `submission could be stored. Run \`${alterRole}default_transaction_read_only = off\`, and open the storage on ` +
      `new connections. ${OF_THE_POOL}`,
  );
}

const OF_THE_POOL = "If it is your pool's own `options` that say so, leave that out.";

/** What may take back what partners were told is stored. Any other `synchronous_commit` waits for a disk. */
export function hazardsOf({
  commits,
  fsync,
  alterRole,
}: Omit<Settings, 'readOnly' | 'hasCitus'>): readonly string[] {
  const hazards = [];
  if (commits === 'off') {
    hazards.push(
      'PostgreSQL does not wait for the disk when this role commits: `synchronous_commit` is off, and a crash of the ' +
        'server loses submissions that partners have a 201 for, and never send again. Run ' +
        `\`${alterRole}synchronous_commit = on\`, and open the storage on new connections. ${OF_THE_POOL}`,
    );
  }
  if (fsync === 'off') {
    hazards.push(
      'PostgreSQL never waits for the disk: `fsync` is off, and a power failure may lose submissions that partners ' +
        'have a 201 for, and the whole database. Where that matters, run `alter system set fsync = on` and ' +
        '`select pg_reload_conf()`.',
    );
  }
  return hazards;
}
