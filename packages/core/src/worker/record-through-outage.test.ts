import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SECOND_MS } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';
import { recordThroughOutage } from './record-through-outage.js';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

describe('what a host has already taken', () => {
  it('is recorded again, ever more rarely, while the storage is away, and given up within half a minute', async () => {
    const { triedAt, error } = await record(0);
    expect(triedAt).toEqual([0, 200, 600, 1_400, 3_000, 6_200, 12_600, 25_400]);
    expect(error).toBeInstanceOf(StorageUnavailable);
  });

  it('is recorded a last time after half a minute, where the tries before it took a while', async () => {
    const { triedAt } = await record(3 * SECOND_MS);
    expect(triedAt).toEqual([0, 3_200, 6_600, 10_400, 15_000, 21_200, 30_000]);
  });

  it('is not recorded again once half a minute has passed, where each try waits for a row', async () => {
    const { triedAt } = await record(10 * SECOND_MS);
    expect(triedAt).toEqual([0, 10_200, 20_600]);
  });

  it('is recorded once where that goes well, and it is known what came of it', async () => {
    let isAway = true;
    const recorded = recordThroughOutage(async () => {
      if (!isAway) return 'recorded';
      isAway = false;
      throw new StorageUnavailable('The connection was lost.');
    });
    await vi.advanceTimersByTimeAsync(200);
    expect(await recorded).toBe('recorded');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not recorded again where the storage refuses it: that is no outage', async () => {
    const refusal = new Error('The row is too long.');
    const { triedAt, error } = await record(0, refusal);
    expect(triedAt).toEqual([0]);
    expect(error).toBe(refusal);
  });
});

/** Tries that each fail after so long: when each began, and what the last one threw. */
async function record(takesMs: number, failure: Error = new StorageUnavailable('It is away.')) {
  const triedAt: number[] = [];
  const ended = recordThroughOutage(async () => {
    triedAt.push(Date.now());
    await new Promise((resolve) => setTimeout(resolve, takesMs));
    throw failure;
  }).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { triedAt, error: await ended };
}
