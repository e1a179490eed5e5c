/** Runs the HTTP suite as the page shows it, and opens its storage. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StorageUnderTest } from '@partner-hiring/conformance';
import type { PartnerId } from '@partner-hiring/core/ports';
import type { Database } from 'better-sqlite3';
import { afterAll, expect } from 'vitest';
import { samplePartner } from '../conformance/suite/storage/samples.js';
import { exported } from './exported.js';
import { layOut } from './lay-out.js';
import { tell } from './tell.js';

const PAGE = 'docs/adapters.md';

// Suites must be defined before the first test runs, so import this program first.
const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-adapters-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
layOut(PAGE, folder);
await import(pathToFileURL(join(folder, 'my-adapter.test.ts')).href);

tell('docs/adapters.md', async (open) => {
  const page = open();
  // `test/conformance/outside.test.ts` runs it.
  page.next('sh');
  await page.play();
  // The suite ran above.
  expect(page.next('ts').fileName).toBe('my-adapter.test.ts');

  const openStorage = exported<() => Promise<StorageUnderTest<Database>>>(await page.play(), 'openStorage');
  const { storage, another, inHostTransaction, advance, close } = await openStorage();
  const add = (id: PartnerId) => (tx: Database) => storage.within(tx).partners.add(samplePartner(id));
  await inHostTransaction('commit', add('ptn_kept'));
  await inHostTransaction('rollback', add('ptn_gone'));
  const second = await another();
  expect(await second.direct.partners.list()).toMatchObject([{ id: 'ptn_kept' }]);
  const before = await storage.direct.time.now();
  advance?.(5_000);
  expect((await storage.direct.time.now()) - before).toBe(5_000);
  await Promise.all([second.close(), close()]);

  // `test/conformance` runs the suite that this program runs; `programs.test.ts` compiles it.
  expect(page.next('ts').fileName).toBe('my-storage.test.ts');
});
