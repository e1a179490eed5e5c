import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from './clock.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

test('time runs on', async () => {
  const before = systemClock.now();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(systemClock.now()).toBeGreaterThan(before);
});

test('time counts from 1970, as a copy’s state keeps it, and does not jump when the clock is set', () => {
  const before = systemClock.now();
  expect(before).toBeGreaterThan(Date.parse('2020-01-01'));
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
  try {
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  } finally {
    vi.useRealTimers();
  }
});

test('a sleep until an instant that is past ends at once, and Node has nothing to warn of', async () => {
  const warned = vi.spyOn(process, 'emitWarning');
  await systemClock.sleep(-5);
  expect(warned).not.toHaveBeenCalled();
});

describe('a sleep', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Sleeps; answers whether it is over. */
  function sleep(ms: number, signal?: AbortSignal) {
    let isOver = false;
    void systemClock.sleep(ms, signal).then(() => {
      isOver = true;
    });
    return () => isOver;
  }

  test('lasts as long as it is told', async () => {
    const isOver = sleep(1_000);
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver()).toBe(true);
  });

  test('of which no timer is capable does not end at once', async () => {
    const isOver = sleep(365 * DAY_MS);
    await vi.advanceTimersByTimeAsync(20 * DAY_MS);
    expect(isOver()).toBe(false);
  });

  test('ends with its signal, and leaves neither a timer nor a listener behind', async () => {
    const ending = new AbortController();
    const isOver = sleep(DAY_MS, ending.signal);
    ending.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
  });

  test('that is over leaves no listener on a signal that others share', async () => {
    const { signal } = new AbortController();
    const isOver = sleep(1_000, signal);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isOver()).toBe(true);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('whose signal was aborted before does not begin', async () => {
    const isOver = sleep(1_000, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver()).toBe(true);
  });
});
