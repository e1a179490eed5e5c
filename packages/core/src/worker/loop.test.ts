import { createFakeClock, settle } from '@partner-hiring/test-support/clock';
import { describe, expect, it } from 'vitest';
import { amountFound, createLoop, type Found } from './loop.js';

const EVERY_MS = 1_000;

describe('createLoop', () => {
  it('looks when it starts, at every poll, and at once when woken', async () => {
    const { loop, clock, polls } = setUp(() => 'nothing');
    loop.start();
    await settle();
    expect(polls()).toBe(1);
    await clock.advance(EVERY_MS);
    expect(polls()).toBe(2);
    loop.wake();
    await settle();
    expect(polls()).toBe(3);
    await loop.stop();
  });

  it('looks again without a wait while it finds its hands full', async () => {
    const { loop, polls } = setUp((count) => (count < 4 ? 'full' : 'some'));
    loop.start();
    await settle();
    expect(polls()).toBe(4);
    await loop.stop();
  });

  it('lets the process do other things between looks, even where looking takes no turn of the event loop', async () => {
    let others = 0;
    const seen: number[] = [];
    const { loop } = setUp((count) => {
      seen.push(others);
      setImmediate(() => {
        others += 1;
      });
      return count < 4 ? 'full' : 'nothing';
    });
    loop.start();
    await settle();
    expect(seen).toEqual([0, 1, 2, 3]);
    await loop.stop();
  });

  it('logs a failure, backs off further with each, and goes on', async () => {
    const { loop, clock, polls, errors } = setUp((count) => {
      if (count <= 2) throw new Error('The storage is down.');
      return 'nothing';
    });
    loop.start();
    await settle();
    await clock.advance(2 * EVERY_MS - 1);
    expect(polls()).toBe(1);
    await clock.advance(1);
    expect(polls()).toBe(2);
    await clock.advance(4 * EVERY_MS - 1);
    expect(polls()).toBe(2);
    await clock.advance(1);
    expect(polls()).toBe(3);
    expect(errors).toHaveLength(2);
    await loop.stop();
  });

  it('backs off anew after a look that went well', async () => {
    const { loop, clock, polls } = setUp((count) => {
      if (count !== 2) throw new Error('The storage is down.');
      return 'nothing';
    });
    loop.start();
    await settle();
    await clock.advance(2 * EVERY_MS);
    await clock.advance(EVERY_MS);
    expect(polls()).toBe(3);
    await clock.advance(2 * EVERY_MS);
    expect(polls()).toBe(4);
    await loop.stop();
  });

  it('notices within half a minute that an outage has ended, however long that was', async () => {
    const { loop, clock, polls } = setUp(() => {
      throw new Error('The storage is down.');
    });
    loop.start();
    for (let minute = 0; minute < 60; minute += 1) await clock.advance(60_000);
    const before = polls();
    await clock.advance(30_000);
    expect(polls()).toBe(before + 1);
    await loop.stop();
  });

  it('runs once, however often it is started', async () => {
    const { loop, polls } = setUp(() => 'nothing');
    loop.start();
    loop.start();
    await settle();
    expect(polls()).toBe(1);
    await loop.stop();
  });

  it('is stopped once the look that is under way has ended, and no sooner', async () => {
    let end = () => {};
    const { loop } = setUp(() => new Promise((resolve) => (end = () => resolve('nothing'))));
    loop.start();
    await settle();
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await settle();
    expect(isStopped).toBe(false);
    end();
    await stopped;
  });

  it('never overlaps looks', async () => {
    let underWay = 0;
    let most = 0;
    const { loop } = setUp(async (): Promise<Found> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await settle(1);
      underWay -= 1;
      return 'nothing';
    });
    loop.start();
    await Promise.all([loop.poll(), loop.poll(), loop.poll()]);
    expect(most).toBe(1);
    await loop.stop();
  });

  it('looks no more once stopped, not even when started again', async () => {
    const { loop, clock, polls } = setUp(() => 'nothing');
    loop.start();
    await loop.stop();
    const before = polls();
    loop.start();
    await clock.advance(10 * EVERY_MS);
    expect(polls()).toBe(before);
  });
});

it('what is done of all that is due is all of it, some, or as much as could be', () => {
  expect([amountFound(0, 0), amountFound(2, 2), amountFound(1, 2), amountFound(0, 2)]).toEqual([
    'nothing',
    'some',
    'full',
    'full',
  ]);
});

function setUp(find: (count: number) => Found | Promise<Found>) {
  const clock = createFakeClock();
  const errors: unknown[] = [];
  let count = 0;
  const task = {
    name: 'test',
    poll: async () => {
      count += 1;
      return find(count);
    },
    idle: async () => {},
  };
  const logger = { debug() {}, info() {}, warn() {}, error: (fields: unknown) => errors.push(fields) };
  return { loop: createLoop(task, { everyMs: EVERY_MS, clock, logger }), clock, errors, polls: () => count };
}
