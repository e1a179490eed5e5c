/** Runs both conformance suites as the page shows them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect } from 'vitest';
import { layOut } from './lay-out.js';
import { tell } from './tell.js';

const PAGE = 'docs/adapters.md';

// Suites must be defined before the first test runs, so import these programs first.
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
  // The suites ran above.
  for (const file of ['my-adapter.test.ts', 'open-storage.ts', 'my-storage.test.ts']) {
    expect(page.next('ts').fileName).toBe(file);
  }
});
