import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';
import Sqlite, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  sampleApplication,
  sampleSubmission,
  seed,
  T0,
} from '../../../test/conformance/suite/storage/samples.js';
import { createSqliteStorage } from './create-sqlite-storage.js';
import type { SqliteTransaction } from './driver.js';

const APPLICATIONS = 400;
const MARKER = /zq\d{3}xw/i;
const DUE_AFTER_MS = 600_000;

let folder = '';
let file = '';
let now = T0;
let storage: Storage<SqliteTransaction, Database>;
let other: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ph-rewrite-'));
  file = join(folder, 'test.db');
  now = T0;
  storage = await open();
  other = new Sqlite(file, { timeout: 5_000 });
  await seed(storage.direct);
});
afterEach(async () => {
  other.close();
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): Promise<typeof storage> {
  return createSqliteStorage({ file, clock: { now: () => now } });
}

function rewrite(): Promise<boolean> {
  if (storage.rewriteErased === undefined) throw new Error('The storage cannot rewrite its file.');
  return storage.rewriteErased(DUE_AFTER_MS);
}

/** Adds people in no order, so that pages are split, and erases them all. */
async function addAndErase(count = APPLICATIONS): Promise<void> {
  const applications = Array.from({ length: count }, (_, number) => {
    const name = `Zq${String((number * 7) % count).padStart(3, '0')}xw`;
    const candidate = { firstName: name, lastName: name, email: `${name}@example.org`, phone: '' };
    return sampleApplication((number * 13) % count, T0 + number, { candidate });
  });
  await storage.direct.submissions.add(applications.map((each) => sampleSubmission(each)));
  await storage.direct.candidates.erase(
    applications.map(({ id }) => id),
    now,
  );
}

/** What the disk has: the file and its write-ahead log. */
function bytesOnDisk(): string {
  return ['', '-wal'].map((end) => readFileSync(file + end, 'latin1')).join('');
}

it('removes the copies of erased rows from the file and its log, once they are due', async () => {
  await addAndErase();
  other.pragma('wal_checkpoint(truncate)');
  // Without them, this test would show nothing.
  expect(bytesOnDisk()).toMatch(MARKER);
  now += DUE_AFTER_MS - 1;
  expect(await rewrite()).toBe(false);
  now += 1;
  expect(await rewrite()).toBe(true);
  expect(bytesOnDisk()).not.toMatch(MARKER);
  expect(await rewrite()).toBe(false);
  now += DUE_AFTER_MS;
  expect(await rewrite()).toBe(false);
});

it('remembers an erasure after a restart, and if the clock was set back', async () => {
  await addAndErase(1);
  await storage.close();
  storage = await open();
  now -= 1;
  expect(await rewrite()).toBe(true);
  expect(await rewrite()).toBe(false);
});

it('leaves it due for the next time while another connection writes or reads an old state', async () => {
  await addAndErase(1);
  now += DUE_AFTER_MS;
  other.exec('begin immediate');
  await expect(rewrite()).rejects.toMatchObject({ isBusy: true });
  other.exec('rollback');
  other.exec('begin');
  other.prepare('select 1 from ph_application').get();
  await expect(rewrite()).rejects.toBeInstanceOf(StorageUnavailable);
  other.exec('commit');
  expect(await rewrite()).toBe(true);
});

it('repeats it for an erasure that commits meanwhile', async () => {
  await addAndErase(2);
  now += DUE_AFTER_MS;
  const running = rewrite();
  await new Promise((resolve) => setImmediate(resolve));
  // Another process: this one's writes wait.
  other.exec("update ph_application set erased_at = null where id = 'ej_app_000000'");
  other.exec(`update ph_application set erased_at = ${now} where id = 'ej_app_000000'`);
  expect(await running).toBe(true);
  expect(await rewrite()).toBe(false);
  now += DUE_AFTER_MS;
  expect(await rewrite()).toBe(true);
});

it('serves reads meanwhile, and runs writes afterwards', async () => {
  await addAndErase(1);
  now += DUE_AFTER_MS;
  const order: string[] = [];
  await Promise.all([
    rewrite().then(() => order.push('rewritten')),
    storage.direct.partners
      .add({ id: 'ptn_late', name: 'Late', createdAt: now })
      .then(() => order.push('written')),
    storage.direct.partners.list().then(() => order.push('read')),
  ]);
  expect(order).toEqual(['read', 'rewritten', 'written']);
});

it.each([
  ['the partner’s own id is cleared later', 'update ph_application set source_application_id = null'],
  ['the location of a résumé is forgotten', 'delete from ph_resume_removal'],
  ['the host has deleted its own row', `update ph_inbox_erasure set received_at = ${T0}`],
])('is due again after %s', async (_, sql) => {
  const application = sampleApplication(1, T0, { sourceApplicationId: 'own' });
  await storage.direct.submissions.add([sampleSubmission(application)]);
  await storage.direct.candidates.erase([application.id], T0);
  other.exec(`insert into ph_resume_removal (application_id, attempts, due_at) values ('${application.id}', 0, ${T0});
    insert into ph_inbox_erasure (application_id, key_id, at, retry_at) values ('${application.id}', 'key', ${T0}, ${T0})`);
  now += DUE_AFTER_MS;
  expect(await rewrite()).toBe(true);
  expect(await rewrite()).toBe(false);
  other.exec(sql);
  expect(await rewrite()).toBe(true);
});
