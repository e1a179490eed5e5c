/** What the console shows of the whole installation. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../packages/core/src/domain/time.js';
import { openDeliveryStage } from '../operator/deliveries-stage.js';

const stage = perTest(openDeliveryStage, ({ close }) => close());

const MANIFEST = createRequire(import.meta.url)('../../../packages/core/package.json') as {
  readonly version: string;
};

const isPostgres = process.env.STORAGE === 'postgres';
const MIGRATIONS = new URL(
  `../../../packages/${isPostgres ? 'postgres' : 'sqlite'}/migrations/`,
  import.meta.url,
);

describe('system.status', () => {
  it('names the database, the release and the workers, and counts what waits', async () => {
    const { operator, partnerHiring, clock } = stage;
    const failing = await stage.record(2);
    stage.fail(failing);
    await stage.drain();
    await stage.record(3);
    expect(await operator.system.status()).toMatchObject({
      at: clock.now(),
      release: MANIFEST.version,
      storage: {
        kind: isPostgres ? 'postgres' : 'sqlite',
        version: expect.stringMatching(/^\d+\.\d+/),
        schemaVersion: readdirSync(MIGRATIONS).length,
      },
      isSandbox: false,
      workers: [],
      lastSweepAt: null,
      endpoints: { active: 1, paused: 0, failing: 1, leased: 0 },
      deliveries: { due: 3, scheduled: 2, dead: 0, isExact: true },
      inbox: { isOn: false, unread: 0, parked: 0, oldestUnreadAt: null },
      runningOperations: 0,
      waiting: {
        oldestAlertAt: null,
        oldestDownloadAt: null,
        removals: 0,
        oldestRemovalAt: null,
        oldestExpiredAt: null,
      },
    });
    partnerHiring.worker.start();
    // The jitter makes the retries due after 45 to 75 seconds, and the next ones only after minutes.
    for (let second = 0; second < 80; second += 1) await clock.advance(1_000);
    const { workers, lastSweepAt, deliveries: backlog } = await operator.system.status();
    expect(workers).toMatchObject([{ pid: process.pid, release: MANIFEST.version, isAlive: true }]);
    expect(lastSweepAt).toBe(workers[0]?.lastSweepAt);
    expect(lastSweepAt).not.toBeNull();
    expect(backlog.due).toBe(0);
    clock.suspend(90_001);
    expect((await operator.system.status()).workers).toMatchObject([{ isAlive: false }]);
  });

  it('counts leased and paused endpoints, and running operations', async () => {
    const { operator, keyId } = stage;
    await stage.record(1);
    const seen: number[] = [];
    stage.transport.answerWith(async () => {
      seen.push((await operator.system.status()).endpoints.leased);
      return { kind: 'answered', status: 200, excerpt: '' };
    });
    await stage.drain();
    expect(seen).toEqual([1]);
    await operator.endpoints.pause({ keyId });
    await operator.candidates.eraseMany({ changedBefore: 5 });
    const status = await operator.system.status();
    expect(status.endpoints).toEqual({ active: 0, paused: 1, failing: 0, slowed: 0, leased: 0 });
    expect(status.runningOperations).toBe(1);
  });

  it('counts the hours and the secrets only if asked', async () => {
    const { operator } = stage;
    expect(await operator.system.status()).toMatchObject({ hours: null, sealing: null });
    const { hours, sealing } = await operator.system.status({ sealing: true });
    expect(hours).toBeNull();
    expect(sealing).toMatchObject({ counts: [{ secrets: 1, isKnown: true }], left: 0, behind: [] });
  });

  it('has the last hours, with requests by status and attempts by outcome', async () => {
    const { operator, partner, clock } = stage;
    await partner.submit({});
    await partner.submit({});
    await clock.advance(2 * HOUR_MS);
    const failing = await stage.record(2);
    stage.fail(failing);
    await stage.record(3);
    await stage.drain();
    const { at, hours } = await operator.system.status({ hours: 24 });
    expect(at).toBe(clock.now());
    expect(hours).toHaveLength(24);
    const current = hours?.at(-1);
    expect(current?.hour).toBe(at - (at % HOUR_MS));
    for (const [index, { hour }] of hours?.entries() ?? [])
      expect(hour).toBe((hours?.[0]?.hour ?? 0) + index * HOUR_MS);
    expect(current).toMatchObject({ succeeded: 3, failed: 2, requests: [] });
    expect(hours?.at(-3)).toMatchObject({ failed: 0, requests: [{ status: 422, count: 2 }] });
    expect(hours?.at(-2)).toMatchObject({ succeeded: 0, failed: 0, requests: [] });
  });

  it('counts at most the hours that are kept', async () => {
    const { system } = stage.operator;
    for (const hours of [1, 2, 7 * 24]) expect((await system.status({ hours })).hours).toHaveLength(hours);
    for (const hours of [0, 1.5, 7 * 24 + 1])
      await expect(system.status({ hours })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('hours'),
      });
  });
});

describe('an endpoint', () => {
  it('has the counts of its attempts by hour', async () => {
    const { operator, keyId, clock } = stage;
    await stage.record(3);
    await stage.drain();
    await clock.advance(HOUR_MS);
    const failing = await stage.record(2);
    stage.fail(failing);
    await stage.drain();
    const hoursSince = async (since?: number) =>
      (await operator.endpoints.find({ keyId, since }))?.hours ?? [];
    const hours = await hoursSince();
    expect(hours).toHaveLength(25);
    // The stage itself sent one event.
    expect(hours.slice(-2).map(({ succeeded, failed }) => [succeeded, failed])).toEqual([
      [4, 0],
      [0, 2],
    ]);
    const since = clock.now() - DAY_MS - 2 * HOUR_MS;
    expect(await hoursSince(since)).toHaveLength(27);
    expect(await hoursSince(0)).toHaveLength(7 * 24 + 1);
    for (const wrong of [-1, 1.5, clock.now() + 1])
      await expect(hoursSince(wrong)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('since'),
      });
  });
});
