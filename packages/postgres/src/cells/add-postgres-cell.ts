import { checkStorageOptionNames, type StorageOptionNames } from '@partner-hiring/storage-kysely';
import type { ServerConnection } from '../connection.js';
import { bringUpToDate } from '../migrate-postgres.js';
import { CLOCK_NOW } from '../migration-lease.js';
import type { PoolConnections } from '../pool.js';
import { inStorage } from '../retry.js';
import { quotedSchema } from '../schema-name.js';
import { runPostgresTransaction } from '../transaction.js';
import { assertCell, CELLS_MS, CELLS_OPTIONS, type PostgresCellsOptions, withCells } from './open-cells.js';

/** The options of {@link addPostgresCell}. */
export type PostgresCellOptions = PostgresCellsOptions & {
  /** The schema of the new cell. `schemas` contains it too. */
  readonly schema: string;
};

const OPTIONS: StorageOptionNames<PostgresCellOptions> = { ...CELLS_OPTIONS, schema: true };

/**
 * Gives a new cell all companies and jobs, and opens it for partners. First add its schema to the `schemas` of all
 * processes and deploy them: a process that does not know the cell does not write jobs to it. If the call is
 * interrupted, repeat it.
 * @example
 * ```ts
 * await addPostgresCell({ pool, schemas: ['ph_1', 'ph_2', 'ph_3'], schema: 'ph_3' });
 * ```
 * @throws OperatorError `MISCONFIGURED` if an option is invalid, or the role may not create the tables.
 * @throws StorageUnavailable if the database is unreachable.
 */
export async function addPostgresCell(options: PostgresCellOptions): Promise<void> {
  checkStorageOptionNames('addPostgresCell', options, OPTIONS);
  const { schema } = options;
  const migrateAll = async (connections: PoolConnections, schemas: readonly string[]) => {
    assertCell(schema, schemas, 'schema');
    for (const each of schemas) await bringUpToDate(connections, each);
  };
  await withCells(
    options,
    async (connections, [home]) => {
      if (home === schema) return;
      const cells = { home, schema };
      const inStep = <T>(work: (connection: ServerConnection) => Promise<T>) =>
        inStorage(connections, () =>
          connections.lend((connection) => runPostgresTransaction(connection, BEGIN, () => work(connection))),
        );
      await inStep((connection) => copySwitch(connection, cells));
      await inStep((connection) => copyDeployment(connection, cells));
      for (const table of ['ph_company', 'ph_job'] as const) {
        let after: string | null = '';
        while (after !== null) {
          const from: string = after;
          after = await inStep((connection) => copyBatch(connection, cells, table, from));
        }
      }
      await inStep(async (connection) => {
        // On a node of Citus, an update may not read the clock itself.
        const clock = await connection.statement(`select ${CLOCK_NOW} as now`, []);
        const [read] = clock.rows as readonly { readonly now: number }[];
        await connection.statement(
          `update ${quotedSchema(home)}.ph_cell set opened_at = $2 where name = $1 and opened_at is null`,
          [schema, read?.now],
        );
      });
    },
    migrateAll,
  );
}

const BEGIN = `begin isolation level read committed read write; set local lock_timeout = 1000; set local statement_timeout = ${CELLS_MS}`;

/** Writers of the home cell wait for a batch, so it takes milliseconds. */
const BATCH = 500;

interface Copied {
  readonly home: string;
  readonly schema: string;
}

async function copySwitch(connection: ServerConnection, { home, schema }: Copied): Promise<void> {
  const [from, to] = [home, schema].map((each) => `${quotedSchema(each)}.ph_inbox_switch`);
  const { rows } = await connection.statement(`select is_on, changes from ${from} for share`, []);
  const [row] = rows as readonly { readonly is_on: number; readonly changes: string }[];
  const copied = [row?.is_on ?? 0, row?.changes ?? 'staff'];
  await connection.statement(`update ${to} set is_on = $1, changes = $2`, copied);
}

async function copyDeployment(connection: ServerConnection, { home, schema }: Copied): Promise<void> {
  const [from, to] = [home, schema].map((each) => `${quotedSchema(each)}.ph_deployment`);
  await connection.statement(`insert into ${to} select * from ${from} on conflict do nothing`, []);
}

/**
 * Copies the rows after an id. Locks the rows in the home cell meanwhile. Other transactions write there first, so the
 * copy misses none of their changes.
 * @returns the last id, or null after the last batch.
 */
async function copyBatch(
  connection: ServerConnection,
  { home, schema }: Copied,
  table: 'ph_company' | 'ph_job',
  after: string,
): Promise<string | null> {
  const source = `${quotedSchema(home)}.${table}`;
  const held = await connection.statement(
    `select id from ${source} where id > $1 order by id limit ${BATCH} for share`,
    [after],
  );
  const ids = (held.rows as readonly { readonly id: string }[]).map(({ id }) => id);
  const last = ids.at(-1);
  if (last === undefined) return null;
  const names = await connection.statement(
    'select attname as name from pg_attribute where attrelid = pg_catalog.to_regclass($1)::oid and attnum > 0 ' +
      "and not attisdropped and attgenerated = '' order by attnum",
    [source],
  );
  const columns = (names.rows as readonly { readonly name: string }[]).map(({ name }) => name);
  const changes = columns.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`);
  await connection.statement(
    `insert into ${quotedSchema(schema)}.${table} (${columns.join(', ')}) ` +
      `select ${columns.join(', ')} from ${source} where id in (select pg_catalog.json_array_elements_text($1::json)) ` +
      `order by id on conflict (id) do update set ${changes.join(', ')}`,
    [JSON.stringify(ids)],
  );
  return ids.length < BATCH ? null : last;
}
