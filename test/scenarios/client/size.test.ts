/** Measures the bundle of the client: `npx vitest run test/scenarios/client/size.test.ts`. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ENTRY = fileURLToPath(new URL('../../../packages/client/src/index.ts', import.meta.url));
const MAX_MINIFIED = 33_000;

test('the client has at most 33,000 bytes minified', async () => {
  const options = { bundle: true, minify: true, write: false, format: 'esm', target: 'es2022' } as const;
  const { outputFiles } = await build({ ...options, entryPoints: [ENTRY], platform: 'neutral' });
  const size = outputFiles[0]?.contents.byteLength;
  console.log(`${size} bytes minified`);
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(MAX_MINIFIED);
});
