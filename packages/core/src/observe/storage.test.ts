import { describe, expect, it } from 'vitest';
import type { AddPresumed } from '../ports/presumed-submission.js';
import type { Storage } from '../ports/storage.js';
import { observeStorage } from './storage.js';

const OBSERVER = { retried: () => {}, alerted: () => {} };
const PRESUMED = {} as Parameters<AddPresumed>[0];

/** A storage whose methods need it to be called on, as a class's do. */
function createCountingStorage() {
  return {
    added: 0,
    async addPresumed() {
      this.added += 1;
      return { windowStart: 0, countedAt: 0, count: this.added };
    },
  };
}

describe('a storage that is watched', () => {
  it('adds a submission in one step as itself', async () => {
    const observed = observeStorage(createCountingStorage() as unknown as Storage<never>, OBSERVER);
    await observed.addPresumed?.(PRESUMED);
    expect(await observed.addPresumed?.(PRESUMED)).toMatchObject({ count: 2 });
  });

  it('adds none in one step if it cannot', () => {
    expect(observeStorage({ addPresumed: null } as Storage<never>, OBSERVER).addPresumed).toBeNull();
  });
});
