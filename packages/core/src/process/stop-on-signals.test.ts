import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Worker } from '../worker/worker.js';
import { type StopOptions, stopOnSignals } from './stop-on-signals.js';

const EVENTS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'message'] as const;
const listenersOf = (event: string) => process.listeners(event as 'SIGTERM');

let before: ReadonlyMap<string, readonly unknown[]>;
beforeEach(() => {
  before = new Map(EVENTS.map((event) => [event, listenersOf(event)]));
});
afterEach(() => {
  for (const event of EVENTS) {
    for (const listener of listenersOf(event)) {
      if (!before.get(event)?.includes(listener)) process.off(event, listener);
    }
  }
});

function setUp() {
  const calls: unknown[] = [];
  const worker = {
    stop: async ({ withinMs }: Parameters<Worker['stop']>[0] = {}) =>
      void calls.push(['worker', Number(withinMs) > 0]),
  };
  const partnerHiring = {
    stopSoon: () => void calls.push('stopSoon'),
    worker: worker as Worker,
    close: async () => void calls.push('partnerHiring'),
  };
  const logs: unknown[] = [];
  const log = (level: string) => (fields: unknown, message: string) =>
    void logs.push([level, message, fields]);
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  return { calls, logs, partnerHiring, logger };
}

it('runs all steps in order, even if one fails, and rejects with the first failure', async () => {
  const { calls, logs, partnerHiring, logger } = setUp();
  const stopper = stopOnSignals({
    partnerHiring,
    logger,
    drainMs: 0,
    server: {
      close: () => {
        calls.push('server');
        throw new Error('The server failed.');
      },
    },
    close: async () => {
      calls.push('close');
      throw new Error('The pool failed.');
    },
  });
  const stopped = stopper.stop();
  expect(stopper.stop()).toBe(stopped);
  await expect(stopped).rejects.toThrow('The server failed.');
  expect(calls).toEqual(['stopSoon', 'server', ['worker', true], 'partnerHiring', 'close']);
  const message = expect.stringContaining('A step of the stop failed');
  expect(logs).toMatchObject([
    ['error', message, { step: 'server', err: { message: 'The server failed.' } }],
    ['error', message, { step: 'close' }],
  ]);
});

it('drains nothing without a server', async () => {
  const { calls, partnerHiring, logger } = setUp();
  // It would take minutes.
  await stopOnSignals({ partnerHiring, logger, drainMs: 600_000, withinMs: 700_000 }).stop();
  expect(calls).toEqual(['stopSoon', ['worker', true], 'partnerHiring']);
});

it('closes a server that does not listen', async () => {
  const { partnerHiring } = setUp();
  await stopOnSignals({ partnerHiring, server: createServer(), drainMs: 0 }).stop();
});

it.each<[string, Partial<StopOptions>, RegExp]>([
  [
    'an Express application',
    { server: Object.assign(() => {}, { listen() {} }) as never },
    /app\.listen\(\)/,
  ],
  ['a promise of a server', { server: Promise.resolve() as never }, /app\.listen\(\)/],
  ['an environment variable', { drainMs: '5' as never }, /`drainMs` is 5, but must be a whole number/],
  ['a time below zero', { requestsMs: -1 }, /`requestsMs` is -1/],
  [
    'a deadline within the drain period',
    { drainMs: 9_000, withinMs: 9_000 },
    /`withinMs` is 9000.*`drainMs`/,
  ],
])('refuses %s, and names the fix', (_, options, message) => {
  const { partnerHiring } = setUp();
  expect(() => stopOnSignals({ partnerHiring, ...options })).toThrow(message);
  expect(EVENTS.map((event) => listenersOf(event))).toEqual([...before.values()]);
});
