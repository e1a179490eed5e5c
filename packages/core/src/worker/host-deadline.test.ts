import { createFakeClock, STORY_START } from '@partner-hiring/test-support/clock';
import { describe, expect, it } from 'vitest';
import { createSharedDeadline, DeadlinePassed, withDeadline } from './host-deadline.js';

it('resolves or rejects with the work', async () => {
  const clock = createFakeClock();
  await expect(withDeadline(clock, 1_000, Promise.resolve('done'))).resolves.toBe('done');
  await expect(withDeadline(clock, 1_000, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

it('rejects work that never ends', async () => {
  const clock = createFakeClock();
  const outcome = withDeadline(clock, 1_000, new Promise(() => {})).catch((error: unknown) => error);
  await clock.advance(1_000);
  expect(await outcome).toBeInstanceOf(DeadlinePassed);
});

it('stops its timer when the work ends', async () => {
  const { clock, timers } = countingClock();
  await withDeadline(clock, 1_000, Promise.resolve('done'));
  await withDeadline(clock, 1_000, Promise.reject(new Error('refused'))).catch(() => {});
  await clock.advance(0);
  expect(timers()).toBe(0);
});

describe('createSharedDeadline', () => {
  const never = new Promise<string>(() => {});

  it('resolves or rejects with each call, then stops its timer', async () => {
    const { clock, timers } = countingClock();
    const shared = createSharedDeadline(clock, 1_000);
    const both = [shared(Promise.resolve('done')), shared(Promise.reject(new Error('refused')))];
    expect(timers()).toBe(1);
    expect(await Promise.allSettled(both)).toMatchObject([
      { value: 'done' },
      { reason: { message: 'refused' } },
    ]);
    await clock.advance(0);
    expect(timers()).toBe(0);
  });

  it('rejects each call after 1 to 1.5 times the deadline', async () => {
    const { clock, timers } = countingClock();
    const shared = createSharedDeadline(clock, 1_000);
    const given: string[] = [];
    const begin = (name: string) =>
      void shared(never).catch((error: unknown) => {
        if (error instanceof DeadlinePassed) given.push(`${name} at ${clock.now() - STORY_START}`);
      });
    begin('first');
    await clock.advance(900);
    begin('second');
    await clock.advance(10_000);
    expect(given).toEqual(['first at 1500', 'second at 2000']);
    expect(timers()).toBe(0);
    begin('third');
    await clock.advance(10_000);
    expect(given.at(-1)).toBe('third at 12400');
  });

  it('keeps the deadline when the clock is set back', async () => {
    const clock = createFakeClock();
    const outcomes: unknown[] = [];
    void createSharedDeadline(clock, 1_000)(never).catch((error: unknown) => outcomes.push(error));
    clock.setBack(60_000);
    await clock.advance(999);
    expect(outcomes).toEqual([]);
    await clock.advance(501);
    expect(outcomes).toHaveLength(1);
  });
});

function countingClock() {
  const clock = createFakeClock();
  let timers = 0;
  const sleep = async (ms: number, signal?: AbortSignal) => {
    timers += 1;
    await clock.sleep(ms, signal);
    timers -= 1;
  };
  return { clock: { ...clock, sleep }, timers: () => timers };
}
