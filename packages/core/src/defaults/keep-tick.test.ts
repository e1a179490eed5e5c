import { executionAsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { keepTick } from './keep-tick.js';

it('keeps one tick for good, which nobody else holds', async () => {
  const ticks = new Map<string, WeakRef<object>>();
  const original = process.nextTick;
  const tick = (name: string, work: () => void) =>
    original(() => {
      work();
      ticks.set(name, new WeakRef(executionAsyncResource()));
    });
  const spy = vi.spyOn(process, 'nextTick').mockImplementationOnce((work) => tick('kept', () => work()));
  keepTick();
  spy.mockRestore();
  tick('let go', () => {});
  // What a WeakRef was made of lives until the turn ends.
  await setImmediate();
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  expect(ticks.get('let go')?.deref()).toBeUndefined();
  expect(ticks.get('kept')?.deref()).toHaveProperty('callback');
});
