import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { type Seeded, seedIfEmpty } from '../../examples/server/seed.js';
import { readSettings } from '../../examples/server/settings.js';

/** What the programs of the example need to find a database. */
export type DatabaseEnvironment = {
  readonly DATABASE_FILE: string;
  readonly PARTNER_HIRING_SEALING_KEY: string;
};

/** A database as the first start leaves it, in a folder that is gone after the test. */
export async function seededDatabase(): Promise<{ env: DatabaseEnvironment; seeded: Seeded }> {
  const DATABASE_FILE = join(temporaryFolder(), 'example.sqlite');
  const env = { DATABASE_FILE, PARTNER_HIRING_SEALING_KEY: '' };
  const partnerHiring = await openPartnerHiring(readSettings(env));
  // Nobody listens there, as somebody may at the example's own port: who runs the tests beside `npm start`.
  const url = 'http://127.0.0.1:1/webhooks';
  const seeded = await seedIfEmpty(partnerHiring, DATABASE_FILE, { production: url, sandbox: url });
  await partnerHiring.close();
  if (seeded === null) throw new Error('An empty database was not seeded.');
  return { env, seeded };
}
