import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from './clock.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

test('the time of the clock advances', async () => {
  const before = systemClock.now();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(systemClock.now()).toBeGreaterThan(before);
});

test('time starts at 1970, and does not jump when the clock is set', () => {
  const before = systemClock.now();
  expect(before).toBeGreaterThan(Date.parse('2020-01-01'));
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
});

test('a negative sleep ends at once, without a warning of Node', async () => {
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

  /** Returns a function that says whether the sleep has ended. */
  function sleep(ms: number, signal?: AbortSignal) {
    let isOver = false;
    void systemClock.sleep(ms, signal).then(() => {
      isOver = true;
    });
    return () => isOver;
  }

  test('lasts for its duration', async () => {
    const isOver = sleep(1_000);
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver()).toBe(true);
  });

  test('does not end early when it is longer than a timer allows', async () => {
    const isOver = sleep(365 * DAY_MS);
    await vi.advanceTimersByTimeAsync(20 * DAY_MS);
    expect(isOver()).toBe(false);
  });

  test('ends when its signal aborts, and removes its timer and listener', async () => {
    const ending = new AbortController();
    const isOver = sleep(DAY_MS, ending.signal);
    ending.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
  });

  test('removes its listener from a shared signal', async () => {
    const { signal } = new AbortController();
    const isOver = sleep(1_000, signal);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isOver()).toBe(true);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('does not start when the signal has already aborted', async () => {
    const isOver = sleep(1_000, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver()).toBe(true);
  });
});
