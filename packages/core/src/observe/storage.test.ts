import { describe, expect, it } from 'vitest';
import type { Repositories, Storage } from '../ports/storage.js';
import { observeStorage } from './storage.js';

const OBSERVER = { retried: () => {}, alerted: () => {} };

/** A storage whose transactions commit on the last of several runs. */
function createRepeatingStorage(rounds: number): Storage<never> {
  const tx = { alerts: { add: async () => {} } } as unknown as Repositories;
  const transaction = async <Result>(work: (tx: Repositories) => Promise<Result>) => {
    for (let round = 1; round < rounds; round += 1) await work(tx);
    return work(tx);
  };
  return { transaction } as unknown as Storage<never>;
}

describe('an observed storage', () => {
  it('exposes all repositories of a transaction, even of a class', async () => {
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

  it.each([
    [1, []],
    [3, [2]],
  ])(
    'after %i runs of a transaction, reports its alerts once and the repetitions: %j',
    async (rounds, retries) => {
      const told: unknown[] = [];
      const retried: number[] = [];
      const observed = observeStorage(createRepeatingStorage(rounds), {
        retried: (times) => void retried.push(times),
        alerted: (alerts) => void told.push(...alerts),
      });
      const alerts = ['delivery_dead', 'endpoint_paused'].map((kind) => ({ kind }) as never);
      const addEach = async (tx: Repositories) => {
        for (const alert of alerts) await tx.alerts.add([alert]);
      };
      await observed.transaction(addEach);
      expect(told).toEqual(alerts);
      expect(retried).toEqual(retries);
      const addAndFail = async (tx: Repositories) => {
        await addEach(tx);
        throw new Error('It is rolled back.');
      };
      await expect(observed.transaction(addAndFail)).rejects.toThrow('rolled back');
      expect(told).toEqual(alerts);
    },
  );

  it('fails a transaction whose alert cannot be added', async () => {
    const add = () => Promise.reject(new Error('The disk is full.'));
    const storage = { transaction: (work: (tx: unknown) => unknown) => work({ alerts: { add } }) };
    const observed = observeStorage(storage as unknown as Storage<never>, OBSERVER);
    await expect(observed.transaction((tx) => tx.alerts.add([]))).rejects.toThrow('The disk is full.');
  });
});
