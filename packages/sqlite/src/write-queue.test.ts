import { StorageUnavailable } from '@partner-hiring/core';
import { describe, expect, it } from 'vitest';
import { createWriteQueue } from './write-queue.js';

describe('turns', () => {
  it('run one call at a time, in the order they came, whether one fails or not', async () => {
    const inTurn = createWriteQueue(5_000);
    const log: string[] = [];
    const call = (name: string, end: () => void = () => {}) =>
      inTurn(async () => {
        log.push(`${name} begins`);
        await Promise.resolve();
        log.push(`${name} ends`);
        end();
        return name;
      });
    const fail = () => {
      throw new Error('b failed');
    };
    const outcomes = await Promise.allSettled([call('a'), call('b', fail), call('c')]);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('reject a call that waits for itself, rather than hang, and never begin it later', async () => {
    const inTurn = createWriteQueue(20);
    let hasBegun = false;
    const outer = inTurn(() =>
      inTurn(async () => {
        hasBegun = true;
      }),
    );
    const refusal = await outer.catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StorageUnavailable);
    expect(String(refusal)).toMatch(/another connection.*Or somebody called from inside it/);
    expect(await inTurn(async () => 'next')).toBe('next');
    expect(hasBegun).toBe(false);
  });
});
