import { createFakeClock, settle } from '@partner-hiring/test-support/clock';
import { describe, expect, it } from 'vitest';
import { amountFound, createLoop, createWakeSignal, type Found } from './loop.js';

const EVERY_MS = 1_000;

describe('createLoop', () => {
  it('polls on start, at each interval, and when woken', async () => {
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

  it('polls again without a wait after a full poll', async () => {
    const { loop, polls } = setUp((count) => (count < 4 ? 'full' : 'some'));
    loop.start();
    await settle();
    expect(polls()).toBe(4);
    await loop.stop();
  });

  it('yields to the event loop between full polls', async () => {
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

  it('logs failures, backs off exponentially and continues', async () => {
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

  it('resets the backoff after a successful poll', async () => {
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

  it('waits at most 30 s during a long outage', async () => {
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

  it('runs once when started twice', async () => {
    const { loop, polls } = setUp(() => 'nothing');
    loop.start();
    loop.start();
    await settle();
    expect(polls()).toBe(1);
    await loop.stop();
  });

  it('stops after the poll in progress has ended', async () => {
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

  it('does not overlap polls', async () => {
    let inProgress = 0;
    let most = 0;
    const { loop } = setUp(async (): Promise<Found> => {
      inProgress += 1;
      most = Math.max(most, inProgress);
      await settle(1);
      inProgress -= 1;
      return 'nothing';
    });
    loop.start();
    await Promise.all([loop.poll(), loop.poll(), loop.poll()]);
    expect(most).toBe(1);
    await loop.stop();
  });

  it('does not poll after a stop, even if started again', async () => {
    const { loop, clock, polls } = setUp(() => 'nothing');
    loop.start();
    await loop.stop();
    const before = polls();
    loop.start();
    await clock.advance(10 * EVERY_MS);
    expect(polls()).toBe(before);
  });
});

it('returns nothing, some or full for the work that was done', () => {
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

describe('createWakeSignal', () => {
  it('ends a wait after its time, or when woken', async () => {
    const { clock, wakeSignal, wait, wakes } = setUpSignal();
    void wait();
    await clock.advance(999);
    expect(wakes()).toBe(0);
    await clock.advance(1);
    expect(wakes()).toBe(1);
    void wait();
    await settle();
    expect(wakes()).toBe(1);
    wakeSignal.wake();
    await settle();
    expect(wakes()).toBe(2);
  });

  it('ends only the next wait when woken without one', async () => {
    const { wakeSignal, wait, wakes } = setUpSignal();
    wakeSignal.wake();
    wakeSignal.wake();
    await wait();
    expect(wakes()).toBe(1);
    void wait();
    await settle();
    expect(wakes()).toBe(1);
  });
});

function setUpSignal() {
  const clock = createFakeClock();
  const wakeSignal = createWakeSignal(clock);
  let wakes = 0;
  const wait = () =>
    wakeSignal.wait(1_000).then(() => {
      wakes += 1;
    });
  return { clock, wakeSignal, wait, wakes: () => wakes };
}
