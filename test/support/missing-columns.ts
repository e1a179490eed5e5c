/** Stops a run before its first test if a column is described but not made: otherwise, nearly all tests would fail. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as tables from '../../packages/storage-kysely/src/tables/index.js';

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));

/** Returns the described columns that no statement makes, such as `ph_job.schedule`. */
export function missingColumns(sql: string): readonly string[] {
  const statements = sql.replaceAll(/--.*/g, '').split(';');
  // Each storage creates the table of its migrations itself.
  const described = Object.values(tables).filter(({ name }) => name !== 'ph_schema_migration');
  return described.flatMap(({ name, shape }) => {
    const making = new RegExp(`(?:create|alter) table (?:if not exists )?${name}\\b`);
    const made = statements.filter((statement) => making.test(statement)).join(';');
    return Object.keys(shape)
      .filter((column) => !new RegExp(`\\b${column}\\b`).test(made))
      .map((column) => `${name}.${column}`);
  });
}

/** Returns the SQL of a storage's migrations. */
export function migrationsOf(storage: 'postgres' | 'sqlite'): string {
  const folder = `${PACKAGES}${storage}/migrations/`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.sql'),
  );
  return files.map((file) => readFileSync(folder + file, 'utf8')).join(';');
}

/** For Vitest. */
export default function setup(): void {
  for (const storage of ['sqlite', 'postgres'] as const) {
    const missing = missingColumns(migrationsOf(storage)).join(', ');
    if (missing === '') continue;
    throw new Error(`No statement in packages/${storage}/migrations makes the described ${missing}.`);
  }
}
