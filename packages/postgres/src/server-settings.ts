import type { OperatorError } from '@partner-hiring/core';
import { storageMisconfiguration, warnOnce } from '@partner-hiring/storage-kysely';
import { HAS_CITUS } from './citus.js';
import type { ServerConnection } from './connection.js';
import { fromPostgresError, isForbidden, isOfServer } from './errors.js';
import { assertPipelines } from './pipeline-check.js';
import type { PoolConnections } from './pool.js';
import { retryContention } from './retry.js';
import { runPostgresTransaction } from './transaction.js';

const WHOLE: ReadonlySet<string> = new Set(['UTF8', 'SQL_ASCII']);

/** Rejects an encoding that cannot store every name, because submissions would fail. */
export async function assertWholeEncoding({ statement }: ServerConnection): Promise<void> {
  const { rows } = await statement("select pg_catalog.current_setting('server_encoding') as encoding", []);
  const { encoding } = rows[0] as { readonly encoding: string };
  if (WHOLE.has(encoding)) return;
  throw storageMisconfiguration(
    `The database's encoding is ${encoding}, which cannot store every candidate's name. ` +
      "Use a database that was created with `create database … template template0 encoding 'UTF8'`.",
  );
}

/**
 * PgBouncer's error for `begin` in statement mode. The message is compared too, because the code covers every
 * protocol violation.
 */
const REFUSED_BEGIN = { code: '08P01', message: 'transaction blocks not allowed in statement pooling mode' };

/** Returns the error that explains statement mode, or null if the given error has another cause. */
export function refusalOfStatementMode(error: unknown): OperatorError | null {
  if (!isOfServer(error)) return null;
  if (error.code !== REFUSED_BEGIN.code || error.message !== REFUSED_BEGIN.message) return null;
  const refusal = storageMisconfiguration(
    'The pooler in front of PostgreSQL is in statement mode, which forbids transactions. The storage needs them. ' +
      'In PgBouncer, set `pool_mode = transaction` for this database or its user, and reload the configuration.',
  );
  refusal.cause = error;
  return refusal;
}

/**
 * Reads the settings that apply to this role. A role's setting in one database overrides those of the role,
 * the database and the server.
 */
const ASK = `select
  pg_catalog.current_setting('default_transaction_read_only') as "readOnly",
  pg_catalog.current_setting('synchronous_commit') as commits,
  pg_catalog.current_setting('fsync') as fsync,
  pg_catalog.current_setting('synchronous_standby_names') as "synchronousStandbys",
  pg_catalog.current_setting('client_min_messages') as "minMessages",
  pg_catalog.current_setting('lock_timeout') as "lockTimeout",
  ${HAS_CITUS} as "hasCitus",
  pg_catalog.format('alter role %I in database %I set ', session_user, pg_catalog.current_database()) as "alterRole"`;

/**
 * Counts standbys, without backups and logical subscribers. A role without privileges sees only the number of
 * connections, not their kind.
 */
const COUNT_STANDBYS = `select count(*)::int as standbys from pg_stat_replication as sender
  where state is distinct from 'backup' and not exists (
    select from pg_replication_slots as slot where slot.active_pid = sender.pid and slot.slot_type = 'logical')`;

interface Settings {
  readonly readOnly: string;
  readonly commits: string;
  readonly fsync: string;
  readonly synchronousStandbys: string;
  readonly minMessages: string;
  readonly lockTimeout: string;
  readonly alterRole: string;
  readonly hasCitus: 0 | 1;
}

export interface ServerTraits {
  readonly hasCitus: boolean;
  /** Whether `client_min_messages` hides warnings from the role. */
  readonly hidesWarnings: boolean;
}

/**
 * Checks settings of the server. Settings that risk data loss only cause a warning, because development and
 * test machines use them on purpose.
 * @throws OperatorError `MISCONFIGURED` for read-only transactions, or a pooler in statement mode.
 */
export async function checkServerSettings(
  connections: PoolConnections,
  sessionSettings = true,
): Promise<ServerTraits> {
  await assertPipelines(connections);
  const rows = (statement: string) => retryContention(() => askInTransaction(connections, statement));
  const [found] = await rows(ASK).catch((error: unknown) => {
    throw refusalOfStatementMode(error) ?? fromPostgresError(error, connections);
  });
  const settings = found as Settings;
  assertWritable(settings);
  const standbys = await rows(COUNT_STANDBYS).catch((error: unknown) => {
    if (isForbidden(error)) return [{ standbys: 0 }];
    throw fromPostgresError(error, connections);
  });
  const hasStandby = (standbys[0] as { readonly standbys: number }).standbys > 0;
  const takenOverBy = connections.hasSeveralServers ? 'another_host' : hasStandby ? 'a_standby' : null;
  for (const hazard of hazardsOf({ ...settings, takenOverBy })) warnOnce(hazard);
  if (!sessionSettings && settings.lockTimeout === '0') warnOnce(withoutLockTimeout(settings.alterRole));
  return { hasCitus: settings.hasCitus === 1, hidesWarnings: settings.minMessages === 'error' };
}

/**
 * Runs the statement in a transaction. A pooler in statement mode rejects only transactions, so this detects
 * it.
 */
async function askInTransaction(
  connections: PoolConnections,
  statement: string,
): Promise<readonly unknown[]> {
  const { rows } = await connections.lend((connection) =>
    runPostgresTransaction(connection, 'begin', ({ executeEarly }) => executeEarly(statement, [[]])),
  );
  return rows;
}

/**
 * Throws if the role's transactions are read-only by default. A transaction overrides that with `read write`,
 * but a single statement cannot, so submissions would fail.
 */
function assertWritable({ readOnly, alterRole }: Settings): void {
  if (readOnly === 'off') return;
  throw storageMisconfiguration(
    'The server makes the transactions of this role read-only: `default_transaction_read_only` is on, and no submission could be stored. ' +
      `Run \`${alterRole}default_transaction_read_only = off\`, and open the storage on new connections. ${OF_THE_POOL}`,
  );
}

const OF_THE_POOL = "If your pool's own `options` set this, remove it there.";

interface Hazardous extends Pick<Settings, 'commits' | 'fsync' | 'synchronousStandbys' | 'alterRole'> {
  readonly takenOverBy: 'another_host' | 'a_standby' | null;
}

export function hazardsOf(found: Hazardous): readonly string[] {
  const { commits, fsync, alterRole } = found;
  const hazards = [...standbyHazardsOf(found)];
  if (commits === 'off') {
    hazards.push(
      'PostgreSQL does not wait for the disk when this role commits: `synchronous_commit` is off. ' +
        'A crash of the server loses submissions that partners have a 201 for. Partners never send them again. ' +
        `Run \`${alterRole}synchronous_commit = on\`, and open the storage on new connections. ${OF_THE_POOL}`,
    );
  }
  if (fsync === 'off') {
    hazards.push(
      'PostgreSQL never waits for the disk: `fsync` is off. ' +
        'A power failure may lose submissions that partners have a 201 for, or even the whole database. ' +
        'If that matters, run `alter system set fsync = on` and `select pg_reload_conf()`.',
    );
  }
  return hazards;
}

function standbyHazardsOf(found: Hazardous): readonly string[] {
  const { commits, synchronousStandbys, takenOverBy, alterRole } = found;
  if (synchronousStandbys === '') {
    return takenOverBy === null ? [] : [`${TAKEN_OVER_BY[takenOverBy]} ${NO_SYNCHRONOUS_STANDBY}`];
  }
  if (commits !== 'local') return [];
  return [
    'PostgreSQL does not wait for its synchronous standby when this role commits: `synchronous_commit` is local. ' +
      'A failover loses submissions that partners have a 201 for. Partners never send them again. ' +
      `Run \`${alterRole}synchronous_commit = on\`, and open the storage on new connections. ${OF_THE_POOL}`,
  ];
}

function withoutLockTimeout(alterRole: string): string {
  return (
    'With `sessionSettings: false`, the storage sets no timeouts, and the role has none: a request may wait for a lock as long as ' +
    `another transaction holds it. Run \`${alterRole}lock_timeout = '4s'\`, \`${alterRole}statement_timeout = '2min'\` and ` +
    `\`${alterRole}idle_in_transaction_session_timeout = '15s'\`.`
  );
}

const TAKEN_OVER_BY = {
  another_host: 'The connection string names several hosts,',
  a_standby: 'PostgreSQL has a standby,',
};

const NO_SYNCHRONOUS_STANDBY =
  'but no standby is synchronous: `synchronous_standby_names` is empty. ' +
  'If a standby is promoted, submissions that partners have a 201 for may be missing. Partners never send them again. ' +
  "Run `alter system set synchronous_standby_names = '*'` and `select pg_reload_conf()`, " +
  'or switch on the synchronous mode of the tool that manages your servers. ' +
  'If you never promote a standby, you can ignore this warning.';
