/** A release that has several migrations, on cells of which one lags behind. */
import {
  createTestSchema,
  namesOfSchemas,
  type TestSchema,
} from '@partner-hiring/test-support/postgres/database';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';

const MIGRATIONS = '../../../packages/postgres/src/migrations.js';
type Migrations = typeof import('../../../packages/postgres/src/migrations.js');

/** The storage of the release that has these migrations. */
async function nextRelease() {
  // Other files of this process may have loaded the modules already.
  vi.resetModules();
  vi.doMock(MIGRATIONS, async (importOriginal) => {
    const original = await importOriginal<Migrations>();
    const { makeMigrations } = await import('@partner-hiring/test-support/made-migrations');
    const own = original.postgresMigrations();
    const next = [...own, ...makeMigrations(own, 'postgres')];
    return { ...original, postgresMigrations: () => next };
  });
  const { createPostgresStorage, listPostgresCells } = await import('@partner-hiring/postgres');
  const { migrateTo } = await import('../../../packages/postgres/src/migrate-postgres.js');
  const { postgresMigrations } = (await import(MIGRATIONS)) as Migrations;
  return { createPostgresStorage, listPostgresCells, migrateTo, migrations: postgresMigrations() };
}

const release = await nextRelease();
afterAll(() => {
  vi.doUnmock(MIGRATIONS);
  vi.resetModules();
});

let database: TestSchema;
let schemas: readonly string[];

beforeEach(() => {
  database = createTestSchema(undefined, 3);
  schemas = namesOfSchemas(database);
});
afterEach(() => database.drop());

/** Leaves out the last migrations of one cell. */
async function migrateAllBut(lagging: string, leftOut: number): Promise<void> {
  const { connectionString } = database;
  const { migrations, migrateTo } = release;
  for (const schema of schemas) {
    const count = migrations.length - (schema === lagging ? leftOut : 0);
    await migrateTo(migrations.slice(0, count), { connectionString, schema });
  }
}

it.each([
  ['the home cell', 0, 1],
  ['a cell in the middle', 1, 3],
  ['the last cell', 2, 1],
])(
  "names %s if it lags, when a storage opens the cells with `migrate: 'never'`",
  async (_, index, leftOut) => {
    const { connectionString } = database;
    const { createPostgresStorage, listPostgresCells, migrateTo, migrations } = release;
    const lagging = schemas[index] ?? '';
    await migrateAllBut(lagging, leftOut);
    const open = () => createPostgresStorage({ connectionString, schemas, migrate: 'never' });
    const message = `The schema "${lagging}" lacks migrations of this release`;
    await expect(open()).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    await expect(open()).rejects.toThrow(message);
    await expect(listPostgresCells({ connectionString, schemas })).rejects.toThrow(message);

    await migrateTo(migrations, { connectionString, schema: lagging });
    await (await open()).close();
  },
);
