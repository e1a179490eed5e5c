import { StorageUnavailable } from '@partner-hiring/core';
import { describe, expect, it } from 'vitest';
import { createWriteQueue } from './write-queue.js';

describe('the write queue', () => {
  it('runs one call at a time in order, even if one fails', async () => {
    const enqueue = createWriteQueue(5_000);
    const log: string[] = [];
    const call = (name: string, end: () => void = () => {}) =>
      enqueue(async () => {
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

  it('rejects a call that waits for itself, and never runs it', async () => {
    const enqueue = createWriteQueue(20);
    let hasBegun = false;
    const outer = enqueue(() =>
      enqueue(async () => {
        hasBegun = true;
      }),
    );
    const refusal = await outer.catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StorageUnavailable);
    expect(String(refusal)).toMatch(/another connection.*code inside a transaction/);
    expect(await enqueue(async () => 'next')).toBe('next');
    expect(hasBegun).toBe(false);
  });
});
