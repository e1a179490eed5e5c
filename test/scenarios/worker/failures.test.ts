/** Failures of the host and its storage. */

import { settle } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { StorageUnavailable } from '../../../packages/core/src/errors.js';
import type { WorkerParts } from '../../../packages/core/src/worker/worker.js';
import { hang, openStage, SETTLE_MS, until } from './stage.js';

function defer() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const stage = perTest(openStage, ({ close }) => close());

describe('a worker', () => {
  it('leaves an endpoint with unreadable secrets alone for a minute without counting an attempt', async () => {
    const foreign = await stage.key({ secrets: [{ sealed: 'other-box:x', createdAt: 0, expiresAt: null }] });
    const [waiting] = await stage.record(foreign);
    const { first: event } = await stage.keyWithEvents();
    const worker = stage.worker();
    await worker.drain();
    expect(stage.sent()).toEqual([event?.id]);
    expect(await stage.delivery(foreign, waiting?.id ?? 'evt_')).toBeNull();
    expect(stage.errors).toHaveLength(1);
    await stage.clock.advance(59_999);
    await worker.drain();
    expect(stage.errors).toHaveLength(1);

    await stage.change(foreign, (endpoint) => ({
      ...endpoint,
      secrets: [{ sealed: 'sealed:right', createdAt: 0, expiresAt: null }],
    }));
    await stage.clock.advance(1);
    await worker.drain();
    expect(stage.sent()).toEqual([event?.id, waiting?.id]);
  });

  it('logs a failure of concurrent attempts once', async () => {
    const keyId = await stage.key({ secrets: [{ sealed: 'other-box:x', createdAt: 0, expiresAt: null }] });
    await stage.record(keyId, 4);
    await stage.worker().drain();
    expect(stage.errors).toEqual([expect.objectContaining({ keyId, cooldownMs: MINUTE_MS })]);
  });

  it('leaves an endpoint alone that it finds while its sender fails and gives the lease back', async () => {
    await stage.keyWithEvents();
    const [searching, failing] = [defer(), defer()];
    const { direct, transaction } = stage.storage;
    const [recorded, found] = [defer(), defer()];
    let searches = 0;
    const endpoints: typeof direct.endpoints = {
      ...direct.endpoints,
      async lease(...asked) {
        searches += 1;
        if (searches !== 2) return direct.endpoints.lease(...asked);
        searching.resolve();
        await recorded.promise;
        return direct.endpoints.lease(...asked).finally(found.resolve);
      },
    };
    const storage: WorkerParts['storage'] = {
      direct: { ...direct, endpoints },
      async transaction(work) {
        const result = await transaction(work);
        recorded.resolve();
        await found.promise;
        return result;
      },
    };
    stage.transport.answerWith(async () => {
      await failing.promise;
      throw new Error('The transport broke.');
    });
    const worker = stage.start({ storage });
    await until(() => stage.sent().length === 1);
    worker.wake();
    await searching.promise;
    failing.resolve();
    await found.promise;
    await settle();
    expect(stage.errors).toHaveLength(1);
    expect(stage.sent()).toHaveLength(1);
    stage.transport.answerWith(() => answered(200));
    await stage.clock.advance(5_000);
    await until(() => stage.sent().length === 2);
  });

  it('does not prolong the cooldown when the clock is set back', async () => {
    const keyId = await stage.key({ secrets: [{ sealed: 'other-box:x', createdAt: 0, expiresAt: null }] });
    const [event] = await stage.record(keyId);
    const worker = stage.worker();
    await worker.drain();
    await stage.change(keyId, (endpoint) => ({
      ...endpoint,
      secrets: [{ sealed: 'sealed:right', createdAt: 0, expiresAt: null }],
    }));
    stage.clock.setBack(3_600_000);
    await stage.clock.advance(60_000);
    await worker.drain();
    expect(stage.sent()).toEqual([event?.id]);
  });

  it('stops sending during an outage, and records the ended attempts after it', async () => {
    const { keyId, events } = await stage.keyWithEvents(40);
    let isDown = true;
    const { storage } = stage;
    stage.start({
      storage: {
        direct: storage.direct,
        transaction: (work) =>
          isDown ? Promise.reject(new StorageUnavailable('It is down.')) : storage.transaction(work),
      },
    });
    const hanging = hang(stage.transport);
    await until(() => hanging.count() === 4);
    await hanging.endWith(answered(500), 1);
    await until(() => hanging.count() === 4);
    await stage.clock.advance(5_000);
    const sent = stage.sent().length;
    await hanging.endWith(answered(200));
    expect(stage.sent()).toHaveLength(sent);
    expect(stage.errors).toContainEqual({ err: expect.any(StorageUnavailable), keyId });
    isDown = false;
    stage.transport.answerWith(() => answered(200));
    await stage.clock.advance(10_000);
    await until(() => stage.sent().length === 40);
    await settle(20);
    expect(await stage.delivery(keyId, events[0]?.id ?? 'evt_')).toMatchObject({ attempts: 1 });
    expect(new Set(stage.sent()).size).toBe(40);
  });

  it('stops sending while another transaction holds the endpoint', async () => {
    await stage.record(await stage.key(), 8);
    const { direct, transaction } = stage.storage;
    let isBusy = true;
    const storage: WorkerParts['storage'] = {
      direct,
      transaction: (work) =>
        transaction((tx) => {
          const findLeased: typeof tx.endpoints.findLeased = async (held) => held.map(() => 'busy');
          return work(isBusy ? { ...tx, endpoints: { ...tx.endpoints, findLeased } } : tx);
        }),
    };
    const hanging = hang(stage.transport);
    const worker = stage.start({ storage });
    await until(() => hanging.count() === 4);
    await hanging.endWith(answered(200), 1);
    await stage.clock.advance(SETTLE_MS);
    await hanging.endWith(answered(200), 2);
    expect(stage.sent()).toHaveLength(5);
    isBusy = false;
    await stage.clock.advance(SETTLE_MS);
    await until(() => stage.sent().length === 7);
    await hanging.endAll();
    await worker.stop();
    expect(stage.sent()).toHaveLength(8);
  });

  it('repeats unrecorded attempts with a growing delay', async () => {
    const { keyId } = await stage.keyWithEvents();
    const refusing = refuse(new Error('A trigger of the host refuses it.'));
    const worker = stage.start({ storage: refusing.storage, options: { pollEveryMs: 10_000 } });
    await until(() => stage.sent().length === 1);
    await stage.clock.advance(400_000);
    expect(stage.sent()).toHaveLength(3);

    refusing.end();
    await stage.clock.advance(8_000);
    await worker.stop();
    expect((await stage.endpoint(keyId)).health.lastSuccessAt).not.toBeNull();
  });

  it('drains although attempts cannot be recorded', async () => {
    const keys = [await stage.key(), await stage.key()];
    for (const keyId of keys) await stage.record(keyId);
    const { storage } = refuse(new Error('A trigger of the host refuses it.'));
    let isDrained = false;
    const drained = stage.worker({ storage, options: { maxInFlight: 1 } }).drain();
    void drained.then(() => {
      isDrained = true;
    });
    await until(() => stage.sent().length === 1);
    for (let minute = 0; minute < 10; minute += 0.1) await stage.clock.advance(MINUTE_MS / 10);
    expect(isDrained).toBe(true);
    expect(new Set(stage.sent()).size).toBe(2);
  });
});

function refuse(error: Error) {
  const { direct, transaction } = stage.storage;
  let isRefused = true;
  const storage: WorkerParts['storage'] = {
    direct,
    transaction: (work) => (isRefused ? Promise.reject(error) : transaction(work)),
  };
  return {
    storage,
    end() {
      isRefused = false;
    },
  };
}
