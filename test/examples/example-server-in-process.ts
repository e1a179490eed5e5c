import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { onTestFinished } from 'vitest';
import { createApiServer } from '../../examples/server/api-server.js';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { readSettings } from '../../examples/server/settings.js';

/** Opens the library as the example server does, on a temporary database. It is closed after the test. */
export async function openExample() {
  const env = { DATABASE_FILE: join(temporaryFolder(), 'example.sqlite') };
  const partnerHiring = await openPartnerHiring(readSettings(env));
  onTestFinished(() => partnerHiring.close());
  return partnerHiring;
}

/** Creates the example server in this process, without listening. It is closed after the test. */
export async function openExampleServer() {
  const app = await createApiServer(await openExample());
  onTestFinished(() => app.close());
  return app;
}
