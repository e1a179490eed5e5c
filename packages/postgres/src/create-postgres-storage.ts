import type { Clock, Storage } from '@partner-hiring/core/ports';
import { checkStorageOptionNames, type StorageOptionNames } from '@partner-hiring/storage-kysely';
import type { ClientBase } from 'pg';
import { assertKnown, openOnSchemas } from './cells/open-on-schemas.js';
import { readPlacement } from './citus.js';
import { createPostgresDialect } from './dialect.js';
import { createPostgresDriver } from './driver.js';
import type { PostgresTransaction } from './host-transaction.js';
import { assertUpToDate, bringUpToDate } from './migrate-postgres.js';
import { checkPostgresOptions } from './options.js';
import { openPool, POOL_OPTIONS, type PostgresConnection } from './pool.js';
import { warnOfPublishedTables } from './published-tables.js';
import { createSend } from './query.js';
import { checkRowSecurity } from './row-security.js';
import { type PostgresSchemas, readSchemas } from './schemas.js';
import { checkServerSettings } from './server-settings.js';
import { beginText, type PostgresTimeouts, withDefaultTimeouts } from './timeouts.js';
import type { WritePace } from './write-watch.js';

/** The options of {@link createPostgresStorage}. */
export type PostgresStorageOptions = PostgresConnection &
  PostgresSchemas & {
    /**
     * `at_start`, the default, migrates the tables when the storage opens. `never` only checks them: run
     * `migratePostgres` or the SQL of `postgresMigrationSql` first.
     */
    readonly migrate?: 'at_start' | 'never' | undefined;
    /**
     * Whether to use prepared statements. Default true. Disable it for a pooler without support for them, such
     * as PgBouncer before 1.21, or if you run `discard all` on connections of the pool.
     */
    readonly preparedStatements?: boolean | undefined;
    /**
     * Whether each transaction sets its timeouts, with `set local`. Default true. Disable it for RDS Proxy, which otherwise
     * reserves a connection of the server for each session, and set the timeouts of the role instead.
     */
    readonly sessionSettings?: boolean | undefined;
    /** Whether commits notify `listenForWork`. Default false: each notification costs a statement. */
    readonly announceWork?: boolean | undefined;
    /** How long the storage waits for PostgreSQL. */
    readonly timeouts?: PostgresTimeouts | undefined;
    /** Replaces the server's clock. For tests. */
    readonly clock?: Pick<Clock, 'now'> | undefined;
  };

const OPTIONS: StorageOptionNames<PostgresStorageOptions> = {
  ...POOL_OPTIONS,
  schema: true,
  schemas: true,
  migrate: true,
  preparedStatements: true,
  sessionSettings: true,
  announceWork: true,
  timeouts: true,
  clock: true,
};

/**
 * Opens a storage on PostgreSQL 14 or newer, also through a pooler in transaction mode. If the connection
 * string names several hosts, each connection goes to the one that accepts writes. Emits a process warning if
 * a crash or failover may lose commits, or row level security applies to the role.
 * @throws OperatorError `MISCONFIGURED` if an option is invalid, the role or a trigger prevents the
 *   migration, an incompatible newer release has migrated the database, the encoding lacks characters, the
 *   role is read-only by default, a pooler in statement mode forbids transactions, or Citus has
 *   distributed the tables in an unsupported way.
 * @throws StorageUnavailable if the database is unreachable.
 */
export function createPostgresStorage(
  options: PostgresStorageOptions,
): Promise<Storage<PostgresTransaction, ClientBase>> {
  return openPostgresStorage(options);
}

/** As {@link createPostgresStorage}, for tests that wait less for a standby. */
export async function openPostgresStorage(
  options: PostgresStorageOptions,
  writePace?: WritePace,
): Promise<Storage<PostgresTransaction, ClientBase>> {
  checkPostgresOptions(options);
  checkStorageOptionNames('createPostgresStorage', options, OPTIONS);
  const { migrate = 'at_start', clock = null } = options;
  const { preparedStatements = true, announceWork = false, sessionSettings = true } = options;
  const schemas = readSchemas(options);
  const timeouts = withDefaultTimeouts(options.timeouts ?? {});
  const send = (statementMs: number | null) => createSend({ prepared: preparedStatements, statementMs });
  const connections = openPool(options, timeouts, send(timeouts.statementMs));
  try {
    const { hasCitus, hidesWarnings } = await checkServerSettings(connections, sessionSettings);
    const onNodes = new Set<string>();
    for (const schema of schemas) {
      await (migrate === 'never' ? assertUpToDate : bringUpToDate)(connections, schema);
      if (hasCitus && (await readPlacement(connections, schema)) === 'one_shard') onNodes.add(schema);
      const isServed = await warnOfPublishedTables(connections, schema);
      await checkRowSecurity(connections, schema, isServed);
    }
    await assertKnown(connections, schemas);
    const isOnNode = onNodes.size > 0;
    const driver = createPostgresDriver({
      connections,
      begin: beginText(timeouts, { hidesWarnings, isOnNode, sessionSettings }),
      clock: clock ?? { now: Date.now },
      sendWithinHost: send(null),
      commitsAsync: !isOnNode,
      writePace,
    });
    const dialectOf = (schema: string) =>
      createPostgresDialect({
        schema,
        announceWork,
        announceOn: schemas[0],
        clock,
        isOnNode: onNodes.has(schema),
        sessionSettings,
      });
    return openOnSchemas(schemas, dialectOf, driver);
  } catch (error) {
    await connections.close();
    throw error;
  }
}
