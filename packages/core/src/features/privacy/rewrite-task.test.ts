import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { expect, it } from 'vitest';
import { StorageUnavailable } from '../../errors.js';
import { createRewriter } from './rewrite-task.js';

const MINUTE_MS = 60_000;

it('tries each minute, and reports the first of several failures, by their kind', async () => {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const results: (boolean | Error)[] = [];
  const asked: number[] = [];
  const rewriteErased = async (afterMs: number) => {
    asked.push(afterMs);
    const result = results.shift() ?? false;
    if (result instanceof Error) throw result;
    return result;
  };
  const task = createRewriter({ rewriteErased, clock, logger });
  const pollAll = async (given: readonly (boolean | Error)[]) => {
    results.push(...given);
    const found: string[] = [];
    for (const _ of given) {
      found.push(await task.poll());
      expect(await task.poll()).toBe('nothing');
      await clock.advance(MINUTE_MS);
    }
    return found;
  };
  const busy = new StorageUnavailable('locked', { isBusy: true });
  const full = new StorageUnavailable('full');

  expect(await pollAll([false, true, busy, busy])).toEqual(['nothing', 'some', 'nothing', 'nothing']);
  expect(asked).toEqual([1, 2, 3, 4].map(() => 10 * MINUTE_MS));
  const levels = () => logger.lines.map(({ level }) => level);
  expect(levels()).toEqual(['warn']);
  expect(await pollAll([false, full, full])).toEqual(['nothing', 'nothing', 'nothing']);
  expect(levels()).toEqual(['warn', 'error']);
});
