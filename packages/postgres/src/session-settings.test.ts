import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { Client, Pool } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { KEY_ID, seed, T0 } from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';

const { connectionString, schema, run, drop } = createTestSchema();
const SETS = /\bset local\b|\bset_config\b/i;

async function textsOf(sessionSettings: boolean): Promise<readonly string[]> {
  const texts: string[] = [];
  class Recording extends Client {
    override query(...given: unknown[]): never {
      const [query] = given as [string | { readonly text: string }];
      texts.push(typeof query === 'string' ? query : query.text);
      return super.query(...(given as [string])) as never;
    }
  }
  const pool = new Pool({ connectionString, Client: Recording });
  onTestFinished(() => pool.end());
  const storage = await createPostgresStorage({ pool, schema, sessionSettings, preparedStatements: false });
  texts.length = 0;
  await seed(storage.direct);
  const request = { keyId: KEY_ID, count: 1 };
  await storage.transaction(async (tx) => tx.feed.takeSoon([request], T0));
  await storage.close();
  return texts;
}

it('without session settings, no statement of a transaction sets anything, which RDS Proxy would pin', async () => {
  onTestFinished(drop);
  const withSettings = await textsOf(true);
  expect(withSettings.some((text) => SETS.test(text))).toBe(true);
  await run(`truncate ${schema}.ph_partner, ${schema}.ph_company, ${schema}.ph_name_word cascade`);
  const without = await textsOf(false);
  expect(without.length).toBe(withSettings.length);
  expect(without.filter((text) => SETS.test(text))).toEqual([]);
});
