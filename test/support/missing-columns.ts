/** Stops a run before its first test if a column is only described, or only made: otherwise, nearly all tests would fail. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { STORED_TABLES as ALL } from '../../packages/storage-kysely/src/features/tables.js';

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));

interface Described {
  readonly name: string;
  readonly shape: object;
}

/** Each storage creates the table of its migrations itself. */
const TABLES: readonly Described[] = ALL.filter(({ name }) => name !== 'ph_schema_migration');

/** Returns the described columns that no statement makes, such as `ph_job.schedule`. */
export function missingColumns(sql: string): readonly string[] {
  const statements = sql.replaceAll(/--.*/g, '').split(';');
  return TABLES.flatMap(({ name, shape }) => {
    const making = new RegExp(`(?:create|alter) table (?:if not exists )?${name}\\b`);
    const made = statements.filter((statement) => making.test(statement)).join(';');
    return Object.keys(shape)
      .filter((column) => !new RegExp(`\\b${column}\\b`).test(made))
      .map((column) => `${name}.${column}`);
  });
}

/** The columns that the statements of migrations make in the described tables, and that no table describes. */
export function undescribedColumns(sql: string, described: readonly Described[] = TABLES): readonly string[] {
  const shapes = new Map(described.map(({ name, shape }) => [name, shape]));
  const made = sql.replaceAll(/--.*/g, '').matchAll(/create table (?:if not exists )?(\w+) \((.*?)\n\)/gs);
  return [...made].flatMap(([, name = '', columns = '']) => {
    const shape = shapes.get(name);
    const names = [...columns.matchAll(/^ {2}(?!primary|unique|check|foreign|constraint)(\w+)/gm)].map(
      ([, column = '']) => column,
    );
    return shape === undefined
      ? []
      : names.filter((column) => !(column in shape)).map((column) => `${name}.${column}`);
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
    const sql = migrationsOf(storage);
    const missing = missingColumns(sql).join(', ');
    if (missing !== '') {
      throw new Error(`No statement in packages/${storage}/migrations makes the described ${missing}.`);
    }
    const undescribed = undescribedColumns(sql).join(', ');
    if (undescribed !== '') {
      throw new Error(
        `No table in packages/storage-kysely/src/tables describes ${undescribed} of ${storage}.`,
      );
    }
  }
}
