import { STORED_TABLES } from '../../../packages/storage-kysely/src/features/tables.js';
import { cellsOfRun, createTestSchema, namesOfSchemas, postgresUrl, type TestSchema } from './database.js';
import { leavePool, takePool } from './pools.js';

/**
 * Runs a script of migrations as psql does. Sends the transaction first, and then each statement on its own, because a
 * concurrent step must not be in a transaction.
 */
export async function runScript(run: (sql: string) => Promise<unknown>, script: string): Promise<void> {
  const end = script.indexOf('commit;') + 'commit;'.length;
  await run(script.slice(0, end));
  for (const statement of script.slice(end).split('\n\n')) {
    if (statement.trim() !== '') await run(statement);
  }
}

/**
 * Emptied schemas of earlier tests of this process. They are reused, because emptying a schema is ten times as fast as
 * creating one.
 */
const left: TestSchema[] = [];

/**
 * Returns an emptied schema of an earlier test, or a new one without tables. With several cells, returns one schema for
 * each.
 *
 * @param url The database, by default that of the run.
 */
export function takeSchema(cells = cellsOfRun(), url = postgresUrl()): TestSchema {
  const known = left.findIndex(
    (database) => database.connectionString === url && namesOfSchemas(database).length === cells,
  );
  const [database] = known === -1 ? [] : left.splice(known, 1);
  return database ?? createTestSchema(url, cells);
}

/** Empties the tables for the next test, which must find them as they were. Close the storages on the schema first. */
export async function leaveSchema(database: TestSchema): Promise<void> {
  await emptyTables(database);
  left.push(database);
}

const KEPT = ['ph_inbox_switch', 'ph_schema_migration'];

/** Each comes before the tables that it references. */
const EMPTIED = STORED_TABLES.map(({ name }) => name)
  .filter((name) => !KEPT.includes(name))
  .reverse();

async function emptyTables(database: TestSchema): Promise<void> {
  const statements = namesOfSchemas(database).flatMap((schema) => [
    ...EMPTIED.map((table) => `delete from ${schema}.${table}`),
    `update ${schema}.ph_inbox_switch set is_on = 0, changes = 'staff' where is_on = 1 or changes <> 'staff'`,
  ]);
  const all = statements.join('; ');
  const pool = takePool({ url: database.connectionString });
  await pool.query(all);
  await leavePool(pool);
}
