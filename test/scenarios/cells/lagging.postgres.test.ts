/** A release that has several migrations, on cells of which one lags behind. */
import { createPostgresStorage, listPostgresCells } from '@partner-hiring/postgres';
import {
  createTestSchema,
  namesOfSchemas,
  type TestSchema,
} from '@partner-hiring/test-support/postgres/database';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { migrateTo } from '../../../packages/postgres/src/migrate-postgres.js';
import { postgresMigrations } from '../../../packages/postgres/src/migrations.js';

vi.mock('../../../packages/postgres/src/migrations.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../packages/postgres/src/migrations.js')>();
  const { makeMigrations } = await import('@partner-hiring/test-support/made-migrations');
  const own = original.postgresMigrations();
  const next = [...own, ...makeMigrations(own, 'postgres')];
  return { ...original, postgresMigrations: () => next };
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
  for (const schema of schemas) {
    const count = postgresMigrations().length - (schema === lagging ? leftOut : 0);
    await migrateTo(postgresMigrations().slice(0, count), { connectionString, schema });
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
    const lagging = schemas[index] ?? '';
    await migrateAllBut(lagging, leftOut);
    const open = () => createPostgresStorage({ connectionString, schemas, migrate: 'never' });
    const message = `The schema "${lagging}" lacks migrations of this release`;
    await expect(open()).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    await expect(open()).rejects.toThrow(message);
    await expect(listPostgresCells({ connectionString, schemas })).rejects.toThrow(message);

    await migrateTo(postgresMigrations(), { connectionString, schema: lagging });
    await (await open()).close();
  },
);
