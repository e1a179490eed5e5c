/** What the verifier weighs where each byte is loaded over a network: `npx vitest run test/verifier/size.test.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PACKAGE } from './build-package.js';
import { measureSize } from './measure-size.js';

/** Below the 2 kB that are promised. */
const MAX_BYTES = 2_000;

test('the whole module is below 2,000 bytes compressed', async () => {
  for (const names of ['verifyWebhook', 'signWebhook', '*']) {
    const size = await measureSize(names);
    console.log(
      `${names}: ${size.minified} bytes minified, ${size.gzip} with gzip, ${size.brotli} with brotli`,
    );
    expect(size.minified).toBeGreaterThan(1_000);
    expect(size.gzip).toBeLessThan(MAX_BYTES);
    expect(size.brotli).toBeLessThan(size.gzip);
  }
});

test('signing is left out of what only verifies', async () => {
  const [both, verifying] = [await measureSize('*'), await measureSize('verifyWebhook')];
  expect(verifying.gzip).toBeLessThan(both.gzip - 100);
});

test('the README says what it weighs', async () => {
  const { gzip } = await measureSize('*');
  const said = /([\d,]+)\sbytes with gzip/.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8'))?.[1];
  // zlib differs by a few bytes from one Node to another.
  expect(Math.abs(Number(said?.replace(',', '')) - gzip)).toBeLessThanOrEqual(15);
});

test('there is nothing else to load: no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  expect(Object.keys(manifest).filter((field) => /dependencies$/i.test(field))).toEqual([]);
});
