import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { seedIfEmpty } from '../../examples/server/seed.js';
import { readSettings } from '../../examples/server/settings.js';
import { seededDatabase } from './seeded-database.js';

/** What SQLite answers where a commit waits for the disk. */
const FULL = 2;

test('what the seed commits is on the disk before its keys are shown', async () => {
  const { exec } = Database.prototype;
  const atCommit: unknown[] = [];
  vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database.Database, sql) {
    if (sql === 'commit') atCommit.push(this.pragma('synchronous', { simple: true }));
    return exec.call(this, sql);
  });
  await seededDatabase();
  expect(atCommit.length).toBeGreaterThan(0);
  expect(new Set(atCommit)).toEqual(new Set([FULL]));
});

/** Where nobody listens. */
const URLS = { production: 'http://127.0.0.1:1/webhooks', sandbox: 'http://127.0.0.1:1/webhooks' };

test('a later start does not wait for whoever writes', async () => {
  const { env } = await seededDatabase();
  const partnerHiring = await openPartnerHiring(readSettings(env));
  onTestFinished(partnerHiring.close);
  const writer = new Database(env.DATABASE_FILE);
  onTestFinished(() => void writer.close());
  writer.exec('begin immediate');
  expect(await seedIfEmpty(partnerHiring, env.DATABASE_FILE, URLS)).toBeNull();
});

test('of two first starts, one seeds', async () => {
  const { env } = await seededDatabase();
  const partnerHiring = await openPartnerHiring(readSettings(env));
  onTestFinished(partnerHiring.close);
  const { operator } = partnerHiring;
  // What the slower of the two saw before the faster one had committed.
  const slower = {
    ...operator,
    partners: { ...operator.partners, list: async () => ({ items: [], nextCursor: null }) },
  };
  expect(await seedIfEmpty({ ...partnerHiring, operator: slower }, env.DATABASE_FILE, URLS)).toBeNull();
});
