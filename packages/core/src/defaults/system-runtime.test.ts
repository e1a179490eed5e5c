import { afterEach, describe, expect, it, vi } from 'vitest';
import { ID_PREFIXES, type IdKind, isIdOf } from '../domain/ids.js';
import { DAY_MS } from '../domain/time.js';
import { createSystemRuntime } from './system-runtime.js';

const { clock, ids, random } = createSystemRuntime();

afterEach(() => void vi.useRealTimers());

describe('clock', () => {
  it('returns whole milliseconds', () => {
    expect(Number.isInteger(clock.now())).toBe(true);
  });

  it('sleeps longer than a timer can', async () => {
    vi.useFakeTimers();
    let isAwake = false;
    void clock.sleep(30 * DAY_MS).then(() => {
      isAwake = true;
    });
    await vi.advanceTimersByTimeAsync(30 * DAY_MS - 1);
    expect(isAwake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isAwake).toBe(true);
  });

  it('wakes when the signal aborts, and leaves no timer or listener', async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const removed = vi.spyOn(stop.signal, 'removeEventListener');
    const sleep = clock.sleep(40 * DAY_MS, stop.signal);
    stop.abort();
    await expect(sleep).resolves.toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledOnce();
  });

  it('does not sleep if the signal has aborted or the time is zero', async () => {
    vi.useFakeTimers();
    await clock.sleep(1_000, AbortSignal.abort());
    await clock.sleep(0);
    await clock.sleep(-5);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('ids', () => {
  it('have the prefix of their kind and 26 characters of base 32', () => {
    for (const kind of Object.keys(ID_PREFIXES) as IdKind[]) {
      const id = ids.next(kind);
      expect(id).toMatch(new RegExp(`^${ID_PREFIXES[kind]}[0-9a-hjkmnp-tv-z]{26}$`));
      expect(isIdOf(kind, id)).toBe(true);
    }
  });

  it('sort by their millisecond', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
    const made: string[] = [];
    for (const step of [1, 31, 32, 1_000, 999_999]) {
      made.push(ids.next('event'));
      vi.advanceTimersByTime(step);
    }
    expect(made.toSorted()).toEqual(made);
  });

  it('begin with the time in ten characters', () => {
    vi.useFakeTimers({ now: 32 ** 9 + 33 });
    expect(ids.next('job')).toMatch(/^job_1000000011/);
  });

  it('are created even if the clock is wrong', () => {
    vi.useFakeTimers({ now: -1 });
    expect(ids.next('job')).toMatch(/^job_0000000000/);
  });

  it('do not repeat, even beyond the pool of random bytes', () => {
    const made = Array.from({ length: 5_000 }, () => ids.next('application'));
    expect(new Set(made).size).toBe(5_000);
  });
});

describe('random', () => {
  it('returns the requested number of bytes, never the same ones', () => {
    expect(random.bytes(32)).toHaveLength(32);
    expect(random.bytes(32)).not.toEqual(random.bytes(32));
  });

  it('returns fractions in [0, 1) and unique tokens', () => {
    const fraction = random.fraction();
    expect(fraction >= 0 && fraction < 1).toBe(true);
    expect(new Set(Array.from({ length: 1_000 }, () => random.token())).size).toBe(1_000);
  });
});
