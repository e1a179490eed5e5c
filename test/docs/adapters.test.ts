/** What somebody who writes an adapter reads: both suites, as the page calls them, on what the page shows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect } from 'vitest';
import { layOut } from './lay-out.js';
import { tell } from './tell.js';

const PAGE = 'docs/adapters.md';

// Suites must be there before the first test runs, so these programs run first, in a folder of their own.
const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-adapters-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
layOut(PAGE, folder);
const SUITES = ['my-adapter.test.ts', 'my-storage.test.ts'];
for (const program of SUITES) {
  await import(pathToFileURL(join(folder, program)).href);
}

tell('docs/adapters.md', async (open) => {
  const page = open();
  await page.run();
  await page.play();
  // Told above: the suite, what opens a storage for it, the other suite.
  for (const file of ['my-adapter.test.ts', 'open-storage.ts', 'my-storage.test.ts']) {
    expect(page.next('ts').fileName).toBe(file);
  }
});
