import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSqliteStorage } from './create-sqlite-storage.js';

it('counts rate windows on the clock it was given, and keeps the later window when that goes back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ph-clock-'));
  let now = 600_000;
  const storage = await createSqliteStorage({ file: join(folder, 'test.db'), clock: { now: () => now } });
  const { rateWindows } = storage.direct;
  const charge = async () => (await rateWindows.charge([{ bucketId: 'a', cost: 1 }]))[0];

  expect(await charge()).toEqual({ count: 1, windowStart: 600_000, countedAt: 600_000 });
  now = 659_999;
  expect(await charge()).toEqual({ count: 2, windowStart: 600_000, countedAt: 659_999 });
  now = 660_000;
  expect(await rateWindows.read(['a'])).toEqual([{ count: 0, windowStart: 660_000, countedAt: 660_000 }]);
  expect(await charge()).toEqual({ count: 1, windowStart: 660_000, countedAt: 660_000 });
  now = 601_000;
  expect(await charge()).toEqual({ count: 2, windowStart: 660_000, countedAt: 601_000 });
  expect(await rateWindows.read(['a'])).toEqual([{ count: 2, windowStart: 660_000, countedAt: 601_000 }]);

  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});
