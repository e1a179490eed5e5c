import { randomBytes } from 'node:crypto';
import { APPLICATION, KEY } from '@partner-hiring/test-support/client/fake-partner-api';
import { expect, it } from 'vitest';
import { createSecret, describeSecret, hashSecret } from '../domain/partner-key.js';
import { RATE_LIMITS } from '../domain/rate-limit.js';
import { HOUR_MS, MINUTE_MS } from '../domain/time.js';
import type { KeyOfSecret } from '../ports/repositories/partners.js';
import type { Repositories } from '../ports/storage.js';
import { createStorageClock } from '../storage-clock.js';
import { createAdmit } from './admit.js';
import { createKeyCache } from './key-cache.js';
import type { AdmitCall } from './partner-api.js';
import { createBucketCounts } from './rate-limit.js';

const NOW = 1_767_600_000_000;
const SECRET = createSecret('production', randomBytes(32));
const STRANGER: KeyOfSecret['key'] = { ...KEY, id: 'key_2' };

function createStage() {
  const reads: unknown[] = [];
  const charged: string[] = [];
  let guarded = 0;
  let tell: (key: KeyOfSecret['key'] | null) => void = () => {};
  let expiresAt: number | null = null;
  let processNow = NOW + HOUR_MS;
  const touched: (readonly [hash: string, at: number])[] = [];
  const secret = () => ({ ...describeSecret(KEY.id, 'production', SECRET, NOW), lastUsedAt: NOW, expiresAt });
  const repositories = {
    keys: {
      findByHashes: () =>
        new Promise((resolve) => {
          tell = (key) =>
            resolve([key === null ? null : { key, secret: secret(), disabledAt: null, readAt: NOW }]);
        }),
      touchSecrets: async (hashes: readonly string[], at: number) => {
        for (const hash of hashes) touched.push([hash, at]);
      },
    },
    rateWindows: {
      charge: async (charges: readonly { readonly bucketId: string }[]) => {
        charged.push(...charges.map(({ bucketId }) => bucketId));
        return charges.map(() => ({ windowStart: NOW, countedAt: NOW, count: 1 }));
      },
      read: async (ids: readonly string[]) =>
        ids.map(() => ({ windowStart: NOW, countedAt: NOW, count: guarded })),
    },
    applications: {
      findOwned: async (calls: readonly { keyId: string }[]) => {
        reads.push(...calls);
        return calls.map(({ keyId }) => (keyId === KEY.id ? APPLICATION : null));
      },
    },
  } as unknown as Repositories;
  const keyCache = createKeyCache();
  const storageClock = createStorageClock(
    { now: () => Promise.reject(new Error('The time must come with the secret.')) },
    { now: () => processNow },
  );
  const buckets = createBucketCounts(repositories.rateWindows, storageClock);
  const deps = {
    repositories,
    storageClock,
    limits: RATE_LIMITS,
    buckets,
    keyCache,
    onEndedSecret: () => {},
  };
  const admit = createAdmit(deps, {});
  const ask = (bucket: AdmitCall['bucket']) =>
    admit({
      authorization: [`Bearer ${SECRET}`],
      clientAddress: '192.0.2.1',
      bucket,
      applicationId: APPLICATION.id,
    });
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
  return {
    reads,
    charged,
    touched,
    storageClock,
    advance: (ms: number) => {
      processNow += ms;
    },
    cache: () => keyCache.find(hashSecret(SECRET)),
    expireAt: (at: number) => {
      expiresAt = at;
    },
    useGuard: (count: number) => {
      guarded = count;
    },
    as: async (key: KeyOfSecret['key'] | null, bucket: AdmitCall['bucket'] = 'read_application') => {
      const admission = ask(bucket);
      await pause();
      const readBefore = reads.length;
      const touchedBefore = touched.length;
      tell(key);
      return { admission: await admission, readBefore, touchedBefore };
    },
  };
}

it('leaves the application to the route if the secret is new', async () => {
  const { as, reads } = createStage();
  expect((await as(KEY)).admission).toMatchObject({ kind: 'admitted', application: undefined });
  expect(reads).toEqual([]);
});

it('reads the application of a cached key while the storage looks up the secret', async () => {
  const { as, reads } = createStage();
  await as(KEY);
  const { admission, readBefore } = await as(KEY);
  expect(readBefore).toBe(1);
  expect(admission).toMatchObject({ kind: 'admitted', key: KEY, application: APPLICATION });
  expect(reads).toEqual([{ keyId: KEY.id, id: APPLICATION.id }]);
});

it('returns no application that was read for another key', async () => {
  const { as } = createStage();
  await as(KEY);
  const { admission } = await as(null);
  expect(admission.kind).toBe('unauthorized');
  expect(JSON.stringify(admission)).not.toContain(APPLICATION.id);

  const moved = createStage();
  await moved.as(KEY);
  expect((await moved.as(STRANGER)).admission).toMatchObject({ key: STRANGER, application: undefined });
});

it('counts a request under the limits that the storage returns, once, and also before the cache knows them', async () => {
  const { as, charged } = createStage();
  const lowered = {
    ...KEY,
    loweredLimits: { perMinute: { read_application: 2 }, until: NOW + MINUTE_MS, reason: 'R' },
  };
  const ended = { ...lowered, loweredLimits: { ...lowered.loweredLimits, until: NOW } };
  const usual = `read_application:${KEY.id}`;
  const steps = [
    [KEY, 120, [usual]],
    [lowered, 2, [usual, `${usual}:2`]],
    [lowered, 2, [`${usual}:2`]],
    [ended, 120, [`${usual}:2`, usual]],
    [KEY, 120, [usual]],
  ] as const;
  for (const [key, limit, buckets] of steps) {
    charged.length = 0;
    const { admission } = await as(key);
    expect(admission).toMatchObject({ kind: 'admitted', rate: { limit, remaining: limit - 1 } });
    expect(charged).toEqual(buckets);
  }
});

it('caches the keys of admitted requests, and forgets a key whose guard is exhausted', async () => {
  const { as, cache, useGuard } = createStage();
  await as(KEY, null);
  expect(cache()).toMatchObject({ key: KEY, secret: { lastUsedAt: NOW } });
  useGuard(RATE_LIMITS.guard);
  expect((await as(KEY, null)).admission.kind).toBe('limited');
  expect(cache()).toBeUndefined();
  useGuard(0);
  await as(KEY, null);
  await as(null, null);
  expect(cache()).toBeUndefined();
});

it('records the use of a cached secret while the storage looks it up', async () => {
  const { as, cache, touched, advance } = createStage();
  await as(KEY);
  expect(touched).toEqual([]);
  advance(MINUTE_MS);
  const { touchedBefore } = await as(KEY);
  expect(touchedBefore).toBe(1);
  const used = NOW + MINUTE_MS;
  expect(touched).toEqual([[hashSecret(SECRET), used]]);
  // The storage may have read the secret before it recorded the use.
  expect(cache()).toMatchObject({ secret: { lastUsedAt: used } });
});

it('sets the storage clock, and judges the expiry of a secret by it', async () => {
  const { as, cache, storageClock, expireAt } = createStage();
  expect(storageClock.now()).toBe(NOW + HOUR_MS);
  expireAt(NOW + 1);
  expect((await as(KEY)).admission.kind).toBe('admitted');
  expect(storageClock.now()).toBe(NOW);
  expect(cache()).toMatchObject({ readAt: NOW });
  expireAt(NOW);
  expect((await as(KEY)).admission.kind).toBe('unauthorized');
});
