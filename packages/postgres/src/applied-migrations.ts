import type { AppliedMigration } from '@partner-hiring/storage-kysely';
import type { Connection } from './connection.js';
import { isMissing } from './errors.js';
import { quotedSchema } from './schema-name.js';

/**
 * Returns the migrations that the schema has: none if it has no tables. Going through JSON, the statement is the same
 * whether the table has its newest column or not: a role that may only read must get an answer from both.
 */
export async function appliedMigrations(
  connection: Connection,
  schema: string,
): Promise<readonly AppliedMigration[]> {
  const select =
    `select version, name, (to_jsonb(migration) ->> 'oldest_compatible')::integer as "oldestCompatible" ` +
    `from ${quotedSchema(schema)}.ph_schema_migration migration order by version`;
  try {
    const { rows } = await connection.statement(select, []);
    return rows as readonly AppliedMigration[];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
