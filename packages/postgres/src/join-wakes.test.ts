import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createJoinedWakes, JOIN_MS } from './listen-for-work.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('wakes at once, and joins all notifications of the next moment into one wake', () => {
  const wake = vi.fn();
  const wakes = createJoinedWakes(wake);
  wakes.notify();
  expect(wake).toHaveBeenCalledTimes(1);
  for (let count = 0; count < 1_000; count += 1) wakes.notify();
  expect(wake).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(JOIN_MS);
  expect(wake).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10 * JOIN_MS);
  expect(wake).toHaveBeenCalledTimes(2);
  wakes.notify();
  expect(wake).toHaveBeenCalledTimes(3);
});

it('wakes ten times a second during a flood', () => {
  const wake = vi.fn();
  const wakes = createJoinedWakes(wake);
  for (let ms = 0; ms < 1_000; ms += 1) {
    wakes.notify();
    vi.advanceTimersByTime(1);
  }
  expect(wake).toHaveBeenCalledTimes(1 + 1_000 / JOIN_MS);
});

it('wakes no more after it was closed', () => {
  const wake = vi.fn();
  const wakes = createJoinedWakes(wake);
  wakes.notify();
  wakes.notify();
  wakes.close();
  vi.advanceTimersByTime(JOIN_MS);
  wakes.notify();
  expect(wake).toHaveBeenCalledTimes(1);
});
