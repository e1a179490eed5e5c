/** Writes the manifests that `partner-hiring doctor` compares a database with. Run it after each new migration. */
import { writeFileSync } from 'node:fs';
import { startOwnPostgres } from '../../packages/test-support/src/postgres/server.js';
import { makePostgresManifest, makeSqliteManifest, manifestFile, manifestText } from './manifests.js';

writeFileSync(manifestFile('sqlite'), manifestText(await makeSqliteManifest()));
const server = await startOwnPostgres();
try {
  const schema = `manifest_${process.pid}`;
  writeFileSync(manifestFile('postgres'), manifestText(await makePostgresManifest(server.url, schema)));
} finally {
  await server.stop();
}
