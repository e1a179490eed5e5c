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

  it('has all repositories of a transaction, also where those belong to a class', async () => {
    class Transaction {
      readonly #keys = 'the keys';
      readonly #alerts = { add: async () => {} };
      get keys() {
        return this.#keys;
      }
      get alerts() {
        return this.#alerts;
      }
    }
    const storage = { transaction: (work: (tx: unknown) => unknown) => work(new Transaction()) };
    const alerts: unknown[] = [];
    const observer = { ...OBSERVER, alerted: (added: readonly unknown[]) => void alerts.push(...added) };
    const observed = observeStorage(storage as unknown as Storage<never>, observer);
    const alert = { kind: 'delivery_dead' } as never;
    const keys = await observed.transaction(async (tx) => {
      await tx.alerts.add([alert]);
      return tx.keys;
    });
    expect(keys).toBe('the keys');
    expect(alerts).toEqual([alert]);
  });

  it('adds none in one step if it cannot', () => {
    expect(observeStorage({ addPresumed: null } as Storage<never>, OBSERVER).addPresumed).toBeNull();
  });
});
