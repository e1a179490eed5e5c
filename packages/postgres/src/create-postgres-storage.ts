import type { Clock, Storage } from '@partner-hiring/core/ports';
import { checkOptionNames, createKyselyStorage, type OptionNames } from '@partner-hiring/storage-kysely';
import { assertLocalTables } from './citus.js';
import { createPostgresDialect } from './dialect.js';
import { createPostgresDriver } from './driver.js';
import type { PostgresTransaction } from './host-transaction.js';
import { assertUpToDate, bringUpToDate } from './migrate-postgres.js';
import { checkOptions } from './options.js';
import { CONNECTION_OPTIONS, openConnections, type PostgresConnection } from './pool.js';
import { createSend } from './query.js';
import { checkRowSecurity } from './row-security.js';
import { DEFAULT_SCHEMA, quotedSchema } from './schema-name.js';
import { checkServerSettings } from './server-settings.js';
import { beginText, type PostgresTimeouts, withDefaults } from './timeouts.js';

/** How a PostgreSQL storage is opened. */
export type PostgresStorageOptions = PostgresConnection & {
  /** Where the tables lie. Default `partner_hiring`. */
  readonly schema?: string;
  /**
   * `at_start`, the default: the storage brings its tables up to date when it opens. `never`: somebody else
   * does, with `migratePostgres` or the SQL of `postgresMigrationSql`, and the storage checks that they did.
   */
  readonly migrate?: 'at_start' | 'never';
  /**
   * Whether the server keeps our statements by name, so that each is parsed once for a connection. Default
   * true. False for a pooler in transaction mode that does not know them, e.g. PgBouncer before 1.21, and where the host
   * says `discard all` on connections of its pool: those statements fail and are run again, with a warning of the process.
   */
  readonly preparedStatements?: boolean;
  /**
   * Whether processes that called `listenForWork` are told of each commit that has something to send. Default
   * false: the statement of its own that this takes is worth it only if some do.
   */
  readonly announceWork?: boolean;
  /** How long the storage waits for PostgreSQL. */
  readonly timeouts?: PostgresTimeouts;
  /** The storage's clock: the server's, on which all processes agree, unless a test brings one. */
  readonly clock?: Pick<Clock, 'now'>;
};

const OPTIONS: OptionNames<PostgresStorageOptions> = {
  ...CONNECTION_OPTIONS,
  schema: true,
  migrate: true,
  preparedStatements: true,
  announceWork: true,
  timeouts: true,
  clock: true,
};

/**
 * Opens a storage on a PostgreSQL database, 14 or newer. All that it needs works through a pooler in
 * transaction mode, and nothing that it sets outlasts its transactions.
 *
 * A host's transaction is a connection of `pg` on which the host said `begin`, or a transaction of Kysely's
 * PostgreSQL dialect. Its search path may be any.
 *
 * The connection string may name several hosts. Then each connection goes to the one that accepts writes.
 *
 * Warns through the process, once, if commits do not wait for the disk (`synchronous_commit` or `fsync` is off), if a
 * standby may take over that has not confirmed them, or if the tables are under row level security for the role.
 *
 * @throws OperatorError `MISCONFIGURED` if an option does not exist or cannot be meant, the tables are missing and the role may
 *   not create them or a trigger of the database refuses them, a newer release has migrated the database and does not
 *   name this one as compatible, its encoding lacks characters, the role's transactions are read-only by default, a pooler
 *   in statement mode forbids transactions, or Citus manages our tables.
 * @throws StorageUnavailable if the database cannot be reached.
 */
export async function createPostgresStorage(
  options: PostgresStorageOptions,
): Promise<Storage<PostgresTransaction>> {
  checkOptions(options);
  checkOptionNames('createPostgresStorage', options, OPTIONS);
  const { schema = DEFAULT_SCHEMA, migrate = 'at_start', clock = null } = options;
  const { preparedStatements = true, announceWork = false } = options;
  quotedSchema(schema); // refused before anything is asked
  const timeouts = withDefaults(options.timeouts ?? {});
  const send = (statementMs: number | null) => createSend({ prepared: preparedStatements, statementMs });
  const connections = openConnections(options, timeouts, send(timeouts.statementMs));
  try {
    const { hasCitus, hidesWarnings } = await checkServerSettings(connections);
    await (migrate === 'never' ? assertUpToDate : bringUpToDate)(connections, schema);
    if (hasCitus) await assertLocalTables(connections, schema);
    await checkRowSecurity(connections, schema);
    const driver = createPostgresDriver({
      connections,
      begin: beginText(timeouts, hidesWarnings),
      clock: clock ?? { now: Date.now },
      sendWithinHost: send(null),
    });
    return createKyselyStorage(createPostgresDialect({ schema, announceWork, clock }), driver);
  } catch (error) {
    await connections.close();
    throw error;
  }
}
