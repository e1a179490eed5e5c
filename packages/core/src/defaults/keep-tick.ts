import asyncHooks from 'node:async_hooks';

/** One is enough for a process, and a later one does as well. */
const kept: { tick?: object } = {};

/**
 * Keeps one of the objects alive that `process.nextTick` makes.
 *
 * V8 remembers the shape of such objects only as long as one of them lives. After some full collections that meet none,
 * as in a server that is idle, it gives up on them for good, and each tick costs several times as much for as long as the
 * process lives. A request has some ten.
 */
export function keepTick(): void {
  // Other runtimes have their own queues, and need not know which tick is running.
  process.nextTick(() => {
    kept.tick = asyncHooks.executionAsyncResource?.();
  });
}
