/** What partners see goes by the storage's time: no use case and no command asks its own process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, sourcesOf } from './sources.js';

/** The process's clock; `storageClock.now()` is none. */
const ASKS_THE_PROCESS = /\bclock\.now\b|\bDate\.now\b|\bnew Date\(\)|\bperformance\b/;

test.each(['partner', 'operator'])('no file of core’s %s asks the process for the time', (part) => {
  const files = sourcesOf('core').filter((file) => file.startsWith(`packages/core/src/${part}/`));
  expect(files.length).toBeGreaterThan(10);
  const asking = files.filter((file) => ASKS_THE_PROCESS.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(asking).toEqual([]);
});

test.each([
  ['const now = deps.runtime.clock.now();', true],
  ['const now = Date.now();', true],
  ['const now = deps.storageClock.now();', false],
  ['await clock.sleep(1);', false],
])('of %s it is told whether it does', (line, asks) => {
  expect(ASKS_THE_PROCESS.test(line)).toBe(asks);
});
