import { createFakeClock, settle } from '@partner-hiring/test-support/clock';
import { expect, it } from 'vitest';
import type { Deliverer } from './delivery/deliver-events.js';
import { type ListedTask, type PeriodicTasks, stopPeriodicTasks } from './periodic-tasks.js';

const WITHIN_MS = 5_000;

/** Tasks whose steps end when the test calls `end`. */
function setUp() {
  const clock = createFakeClock();
  const [asked, warnings]: [string[], unknown[]] = [[], []];
  const ends = new Map<string, () => void>();
  let timers = 0;
  const step = (name: string) => {
    asked.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const looped = <More>(name: string, more: More): ListedTask<Deliverer> & { readonly task: More } => ({
    task: {
      name,
      poll: async () => 'nothing',
      idle: () => step(`${name} idle`),
      wake: () => true,
      close: () => step('close'),
      abandon: () => void asked.push('abandon'),
      ...more,
    },
    loop: { start() {}, wake() {}, poll: async () => 'nothing', stop: () => step(`${name} stop`) },
    isDemanded: true,
    wake: null,
    inSleep: null,
  });
  const [deliveries, resumeFiles] = [looped('deliveries', {}), looped('resumes', {})];
  const tasks: PeriodicTasks = {
    deliveries,
    list: [deliveries, resumeFiles],
    presence: {
      start() {},
      isSilent: () => false,
      sleep: async () => {},
      flush: async () => {},
      leave: () => step('leave'),
    },
    rest: {
      awake: async () => {},
      beginPoll: () => () => {},
      wake() {},
      expect() {},
      setListening() {},
      end: async () => {},
    },
  };
  const logger = {
    debug() {},
    info() {},
    error() {},
    warn: (fields: unknown) => void warnings.push(fields),
  };
  const sleep = async (ms: number, signal?: AbortSignal) => {
    timers += 1;
    await clock.sleep(ms, signal);
    timers -= 1;
  };
  let isStopped = false;
  void stopPeriodicTasks(tasks, WITHIN_MS, { ...clock, sleep }, logger).then(() => {
    isStopped = true;
  });
  const end = async (...names: readonly string[]) => {
    for (const name of names) ends.get(name)?.();
    await settle();
  };
  return { clock, asked, warnings, end, timers: () => timers, isStopped: () => isStopped };
}

it('stops each loop, then waits for its work, and for the deliverer, and leaves last', async () => {
  const { asked, warnings, end, timers, isStopped } = setUp();
  await settle();
  expect(asked).toEqual(['close', 'deliveries stop', 'resumes stop']);
  await end('deliveries stop');
  expect(asked.splice(3)).toEqual(['deliveries idle']);
  await end('resumes stop', 'deliveries idle');
  await end('resumes idle');
  expect(isStopped()).toBe(false);
  await end('close');
  expect([isStopped(), asked.at(-1)]).toEqual([false, 'leave']);
  await end('leave');
  expect([isStopped(), asked.at(-1), warnings, timers()]).toEqual([true, 'abandon', [], 0]);
});

it('abandons tasks that do not end in time and logs their names', async () => {
  const { clock, asked, warnings, end, isStopped } = setUp();
  await end('close', 'deliveries stop', 'resumes stop');
  await end('deliveries idle');
  await clock.advance(WITHIN_MS - 1);
  expect([isStopped(), asked.includes('abandon')]).toEqual([false, false]);
  await clock.advance(1);
  expect([isStopped(), asked.includes('abandon')]).toEqual([true, true]);
  expect(warnings).toEqual([{ tasks: ['resumes'], stopWithinMs: WITHIN_MS }]);
});
