import { describe, expect, it } from 'vitest';
import { createVirtualClock } from './virtual-clock.js';

describe('createVirtualClock', () => {
  it('starts at the given time and moves only on request', async () => {
    const clock = createVirtualClock(1_000);
    expect(clock.now()).toBe(1_000);
    await clock.advance(500);
    expect(clock.now()).toBe(1_500);
  });

  it('ends sleeps in order, each at its own time', async () => {
    const clock = createVirtualClock(0);
    const ended: (readonly [string, number])[] = [];
    const sleep = async (name: string, ms: number) => {
      await clock.sleep(ms);
      ended.push([name, clock.now()]);
    };
    void sleep('long', 300);
    void sleep('short', 100).then(() => sleep('nested', 50));
    await clock.advance(200);
    expect(ended).toEqual([
      ['short', 100],
      ['nested', 150],
    ]);
    await clock.advance(100);
    expect(ended.at(-1)).toEqual(['long', 300]);
  });

  it('ends a sleep when its signal aborts', async () => {
    const clock = createVirtualClock(0);
    const controller = new AbortController();
    const sleeping = clock.sleep(1_000, controller.signal);
    controller.abort();
    await sleeping;
    expect(clock.now()).toBe(0);
  });

  it.each([-1, 0.5, Number.NaN])('refuses %s', async (ms) => {
    expect(() => createVirtualClock(ms)).toThrow('`startAt` must be a whole number of milliseconds');
    await expect(createVirtualClock(0).advance(ms)).rejects.toThrow('`ms` must be a whole number');
  });
});
