import { onPostgres } from '../check.js';
import { placeOfAddress } from '../database/address.js';
import { failed, ok, warning } from '../report.js';
import { describeMs, plural } from './words.js';

const OLDEST_SERVER = 140_000;

/** Can the storage run on this server at all? */
export const SERVER = onPostgres('server', [], async ({ rows }) => {
  const [found] = await rows<{
    version: string;
    number: number;
    encoding: string;
    standby: number;
    read_only: string;
    alter_role: string;
  }>(
    `select pg_catalog.current_setting('server_version') as version, pg_catalog.current_setting('server_version_num')::int as number,
       pg_catalog.current_setting('server_encoding') as encoding, pg_catalog.pg_is_in_recovery()::int as standby,
       pg_catalog.current_setting('default_transaction_read_only') as read_only,
       pg_catalog.format('alter role %I in database %I set ', session_user, pg_catalog.current_database()) as alter_role`,
  );
  if (found === undefined) throw new Error('The server returned no settings.');
  const { version, number, encoding, standby, read_only, alter_role } = found;
  if (number < OLDEST_SERVER) {
    return failed(`PostgreSQL ${version} is too old: the storage needs 14 or later.`, 'Upgrade the server.');
  }
  if (standby === 1) {
    return failed(
      'This server is a standby, which accepts no writes.',
      'Connect to the primary, or name all hosts in the URL: postgres://user@db1,db2/database.',
    );
  }
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII') {
    return failed(
      `The database's encoding is ${encoding}, which cannot store every candidate's name.`,
      "Create another database: `create database … template template0 encoding 'UTF8'`.",
    );
  }
  if (read_only === 'on') {
    return failed(
      'The transactions of this role are read-only: `default_transaction_read_only` is on.',
      `${alter_role}default_transaction_read_only = off;`,
    );
  }
  return ok(`PostgreSQL ${version} with the encoding ${encoding} accepts writes.`);
});

/** Do prepared statements survive the pooler? A pooler in statement mode already fails the check `database`. */
export const POOLER = onPostgres('pooler', [], async ({ reader }, { preparedStatements }) => {
  if (!preparedStatements) return ok('Transactions work, and the processes prepare no statements.');
  const problem = await reader.findPreparedStatementsProblem();
  if (problem === null) return ok('Transactions and prepared statements work.');
  return warning(
    'The pooler in front of the server does not support prepared statements, so some statements fail and are retried.',
    'Open the storage with `preparedStatements: false` and run `doctor --without-prepared-statements`, or set `max_prepared_statements` of PgBouncer 1.21 or later.',
  );
});

/** Does the pooler answer several statements that were sent together? */
export const PIPELINE = onPostgres('pipeline', [], async ({ reader }) => {
  const problem = await reader.findPipelineProblem();
  if (problem === null) return ok('Several statements that are sent together all get their answers.');
  return failed(
    'The pooler in front of the server releases its connection at the first answer, so further statements that were sent with it hang.',
    'Open the storage with `pipeline: false`. For a pool of your own, remove `pipeline: true`. Or connect to the server directly.',
  );
});

/** Does the pooler reserve a connection of the server for each session? */
export const RDS_PROXY = onPostgres('rds-proxy', [], (_, { address }) => {
  if (!IS_RDS_PROXY.test(placeOfAddress(address))) return ok('The host is not an RDS Proxy.');
  return warning(
    'RDS Proxy pins a session that prepares statements or runs `set local`: a connection of the server is then reserved for it.',
    'Open the storage with `preparedStatements: false` and `sessionSettings: false`, and set the timeouts of the role:\n' +
      "alter role … set lock_timeout = '4s';\nalter role … set statement_timeout = '2min';\n" +
      "alter role … set idle_in_transaction_session_timeout = '15s';\n" +
      'Connect `listenForWork` to the server directly. To ignore the pinning, lower the pools of your processes.',
  );
});

/** Such as `name.proxy-abc123.eu-west-1.rds.amazonaws.com`. */
const IS_RDS_PROXY = /\.proxy-[a-z\d]+\.[a-z\d-]+\.rds\.amazonaws\.com\b/i;

/** Does an acknowledged submission survive a crash? */
export const DURABILITY_CHECK = onPostgres('durability', [], async ({ rows }) => {
  const [found] = await rows<{
    fsync: string;
    commits: string;
    standby_names: string;
    standbys: number;
    alter_role: string;
  }>(
    `select pg_catalog.current_setting('fsync') as fsync, pg_catalog.current_setting('synchronous_commit') as commits,
       pg_catalog.current_setting('synchronous_standby_names') as standby_names,
       (select count(*)::int from pg_stat_replication where state is distinct from 'backup') as standbys,
       pg_catalog.format('alter role %I in database %I set ', session_user, pg_catalog.current_database()) as alter_role`,
  );
  if (found === undefined) throw new Error('The server returned no settings.');
  const { fsync, commits, standby_names, standbys, alter_role } = found;
  if (fsync === 'off') {
    return failed(
      '`fsync` is off: a power failure may lose accepted submissions, or even the whole database.',
      'alter system set fsync = on;\nselect pg_reload_conf();',
    );
  }
  if (commits === 'off') {
    return failed(
      '`synchronous_commit` is off: a crash of the server loses submissions that partners have a 201 for.',
      `${alter_role}synchronous_commit = on;`,
    );
  }
  if (commits === 'local' && standby_names !== '') {
    return failed(
      '`synchronous_commit` is local: a failover loses submissions that partners have a 201 for.',
      `${alter_role}synchronous_commit = on;`,
    );
  }
  if (standbys > 0 && standby_names === '') {
    return warning(
      'The server has a standby, but none is synchronous: a failover may lose accepted submissions.',
      "Name it in `synchronous_standby_names`, e.g. '*'. If you never promote a standby, ignore this.",
    );
  }
  return ok('A commit waits for the disk.');
});

/** Do this machine and the server agree on the time? */
export const CLOCK = onPostgres('clock', [], async (_, { limits, now, storageNow }) => {
  // The first statement may open a connection, which would blur the measurement.
  await storageNow();
  const before = now();
  const server = await storageNow();
  const uncertainty = (now() - before) / 2;
  const difference = Math.max(0, Math.abs(server - (before + uncertainty)) - uncertainty);
  const measured = `The clocks of this machine and the server differ by ${describeMs(difference)}.`;
  const fix = 'Synchronize both machines by NTP. Stored times and signatures use the clock of the server.';
  if (difference > limits.clockFailureMs) return failed(measured, fix);
  if (difference > limits.clockWarningMs) return warning(measured, fix);
  return ok('The clocks of this machine and the server agree.');
});

/** Are the server's connections nearly used up? */
export const CONNECTIONS = onPostgres('connections', [], async ({ rows }, { limits }) => {
  const [found] = await rows<{ used: number; usable: number }>(
    `select count(*)::int as used,
       pg_catalog.current_setting('max_connections')::int - pg_catalog.current_setting('superuser_reserved_connections')::int as usable
     from pg_stat_activity where backend_type = 'client backend'`,
  );
  const { used = 0, usable = 1 } = found ?? {};
  const measured = `${used} of ${usable} connections are in use.`;
  const fix = 'Lower the pools of your processes, use a pooler, or raise `max_connections`.';
  if (used / usable > limits.connectionsFailure) return failed(measured, fix);
  if (used / usable > limits.connectionsWarning) return warning(measured, fix);
  return ok(measured);
});

/** Does an old transaction keep vacuum from removing old rows? */
export const TRANSACTIONS = onPostgres('transactions', [], async ({ rows }, { limits }) => {
  const held = await rows<{ pid: string; name: string; state: string; ms: number }>(
    `select pid::text as pid, application_name as name, coalesce(state, 'unknown') as state,
       pg_catalog.floor(extract(epoch from pg_catalog.clock_timestamp() - xact_start) * 1000::numeric)::bigint as ms
     from pg_stat_activity
     where datname = pg_catalog.current_database() and backend_type = 'client backend' and pid <> pg_catalog.pg_backend_pid()
       and xact_start is not null
     union all
     select gid, 'prepared transaction', 'prepared',
       pg_catalog.floor(extract(epoch from pg_catalog.clock_timestamp() - prepared) * 1000::numeric)::bigint
     from pg_prepared_xacts where database = pg_catalog.current_database()
     order by ms desc limit 5`,
  );
  const old = held.filter(({ ms }) => ms > limits.transactionWarningMs);
  const [oldest] = old;
  if (oldest === undefined) return ok('No transaction is open for long.');
  const finding =
    `${plural(old.length, 'transaction is', 'transactions are')} open for long, the oldest for ${describeMs(oldest.ms)} ` +
    `(${oldest.state}, ${oldest.name || 'without an application name'}). Vacuum cannot remove newer dead rows.`;
  const end = (one: typeof oldest) =>
    one.state === 'prepared'
      ? `rollback prepared '${one.pid.replaceAll("'", "''")}';`
      : `select pg_terminate_backend(${one.pid});`;
  const fix = old.map(end).join('\n');
  return oldest.ms > limits.transactionFailureMs ? failed(finding, fix) : warning(finding, fix);
});
