/** Measures the bundle size of the verifier: `npx vitest run test/verifier/size.test.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PACKAGE } from './build-package.js';
import { measureSize } from './measure-size.js';

const MAX_BYTES = 2_250;
const MAX_MINIFIED = 4_500;

test('the whole module is below 2,250 bytes compressed', async () => {
  for (const names of ['verifyWebhook', 'signWebhook', '*']) {
    const size = await measureSize(names);
    console.log(
      `${names}: ${size.minified} bytes minified, ${size.gzip} with gzip, ${size.brotli} with brotli`,
    );
    expect(size.minified).toBeGreaterThan(1_000);
    if (names !== '*') expect(size.minified).toBeLessThan(MAX_MINIFIED);
    expect(size.gzip).toBeLessThan(MAX_BYTES);
    expect(size.brotli).toBeLessThan(size.gzip);
  }
});

test('a bundle that only verifies omits signing', async () => {
  const [both, verifying] = [await measureSize('*'), await measureSize('verifyWebhook')];
  expect(verifying.gzip).toBeLessThan(both.gzip - 100);
});

test('the README has the current size', async () => {
  const { gzip } = await measureSize('*');
  const said = /([\d,]+)\sbytes with gzip/.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8'))?.[1];
  // zlib differs by a few bytes between Node versions.
  expect(Math.abs(Number(said?.replace(',', '')) - gzip)).toBeLessThanOrEqual(15);
});

test('has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  expect(Object.keys(manifest).filter((field) => /dependencies$/i.test(field))).toEqual([]);
});
