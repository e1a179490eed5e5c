import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SECOND_MS } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';
import { recordThroughOutage } from './record-through-outage.js';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

describe('recordThroughOutage', () => {
  it('backs off during an outage and gives up within 30 s', async () => {
    const { triedAt, error } = await record(0);
    expect(triedAt).toEqual([0, 200, 600, 1_400, 3_000, 6_200, 12_600, 25_400]);
    expect(error).toBeInstanceOf(StorageUnavailable);
  });

  it('makes the last try after 30 s when tries are slow', async () => {
    const { triedAt } = await record(3 * SECOND_MS);
    expect(triedAt).toEqual([0, 3_200, 6_600, 10_400, 15_000, 21_200, 30_000]);
  });

  it('stops after 30 s when each try waits for a lock', async () => {
    const { triedAt } = await record(10 * SECOND_MS);
    expect(triedAt).toEqual([0, 10_200, 20_600]);
  });

  it('returns the result of the successful try', async () => {
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

  it('does not retry an error that is not an outage', async () => {
    const refusal = new Error('The row is too long.');
    const { triedAt, error } = await record(0, refusal);
    expect(triedAt).toEqual([0]);
    expect(error).toBe(refusal);
  });
});

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
