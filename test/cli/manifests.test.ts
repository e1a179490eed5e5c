import { readFileSync } from 'node:fs';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { expect, test } from 'vitest';
import { IS_POSTGRES } from './doctor-stage.js';
import { makePostgresManifest, makeSqliteManifest, manifestFile, manifestText } from './manifests.js';

test('the manifest is the schema of the migrations; if not, run `npm run manifests`', async () => {
  const shipped = readFileSync(manifestFile(IS_POSTGRES ? 'postgres' : 'sqlite'), 'utf8');
  const made = IS_POSTGRES ? await makeInSchema() : await makeSqliteManifest();
  expect(Object.keys(made.tables).length).toBeGreaterThan(20);
  expect(shipped).toBe(manifestText(made));
});

async function makeInSchema() {
  const { connectionString, schema, drop } = createTestSchema();
  try {
    return await makePostgresManifest(connectionString, schema);
  } finally {
    await drop();
  }
}
