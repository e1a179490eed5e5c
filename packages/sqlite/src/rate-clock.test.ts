import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSqliteStorage } from './create-sqlite-storage.js';

let now: number;
let folder: string;
let storage: Awaited<ReturnType<typeof createSqliteStorage>>;
beforeEach(async () => {
  now = 600_000;
  folder = mkdtempSync(join(tmpdir(), 'ph-clock-'));
  storage = await createSqliteStorage({ file: join(folder, 'test.db'), clock: { now: () => now } });
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const charge = async () => (await storage.direct.rateWindows.charge([{ bucketId: 'a', cost: 1 }]))[0];
const read = async () => (await storage.direct.rateWindows.read(['a']))[0];

it('counts rate windows on its clock, and returns to the earlier window when the clock goes back', async () => {
  expect(await charge()).toEqual({ count: 1, windowStart: 600_000, countedAt: 600_000 });
  now = 659_999;
  expect(await charge()).toEqual({ count: 2, windowStart: 600_000, countedAt: 659_999 });
  now = 660_000;
  expect(await read()).toEqual({ count: 0, windowStart: 660_000, countedAt: 660_000 });
  expect(await charge()).toEqual({ count: 1, windowStart: 660_000, countedAt: 660_000 });
  now = 601_000;
  expect(await charge()).toEqual({ count: 3, windowStart: 600_000, countedAt: 601_000 });
  expect(await read()).toEqual({ count: 3, windowStart: 600_000, countedAt: 601_000 });
  now = 660_000;
  expect(await read()).toEqual({ count: 1, windowStart: 660_000, countedAt: 660_000 });
});

it('does not block a bucket after a clock that ran far ahead', async () => {
  now = 600_000 + 3_600_000;
  await charge();
  now = 600_000;
  expect(await read()).toEqual({ count: 0, windowStart: 600_000, countedAt: 600_000 });
  expect(await charge()).toEqual({ count: 1, windowStart: 600_000, countedAt: 600_000 });
  expect(await charge()).toEqual({ count: 2, windowStart: 600_000, countedAt: 600_000 });
});
