/** Rolling upgrades: a newer release migrates the tables while this one still runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@partner-hiring/core/ports';
import Sqlite, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  JOB_ID,
  KEY_ID,
  sampleJob,
  sampleSecret,
  seed,
  T0,
} from '../../../test/conformance/suite/storage/samples.js';
import { createSqliteStorage } from './create-sqlite-storage.js';

let folder = '';
let storage: Storage<Database>;
let migrator: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ph-newer-'));
  const file = join(folder, 'test.db');
  // Fixed, because rows contain the time they were read.
  storage = await createSqliteStorage({ file, clock: { now: () => T0 } });
  migrator = new Sqlite(file);
  await seed(storage.direct);
  await storage.direct.keys.addSecret(sampleSecret('hash'));
});
afterEach(async () => {
  migrator.close();
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Joins several tables, so that a new column shifts the columns after it. */
async function lookUp(): Promise<unknown> {
  const ofStorage = async ({ keys, jobs }: Storage<Database>['direct']) => [
    await keys.findByHashes(['hash']),
    await jobs.findForSubmissions([{ keyId: KEY_ID, secretHash: 'a'.repeat(64), jobId: JOB_ID }]),
    await jobs.find([JOB_ID]),
  ];
  return [await ofStorage(storage.direct), await storage.transaction(ofStorage)];
}

it('reads the same values after columns are added or dropped', async () => {
  const before = await lookUp();
  for (const table of ['ph_job', 'ph_key_secret', 'ph_partner_key', 'ph_company', 'ph_access']) {
    migrator.exec(`alter table ${table} add column newer text default 'newer'`);
  }
  expect(await lookUp()).toEqual(before);
  expect(await storage.direct.jobs.find([JOB_ID])).toEqual([sampleJob()]);
  for (const table of ['ph_job', 'ph_key_secret']) migrator.exec(`alter table ${table} drop column newer`);
  expect(await lookUp()).toEqual(before);
});
