import type { Storage } from '@partner-hiring/core/ports';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  appendStamped,
  KEY_ID,
  OTHER_KEY_ID,
  sampleEndpoint,
  sampleEvent,
  sampleSecret,
  seed,
  T0,
} from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import type { PostgresTransaction } from './host-transaction.js';

const database = createTestSchema();
const { connectionString, schema } = database;
const LEASE = { token: 'mine', forMs: 90_000 };
const HOLDINGS = [KEY_ID, OTHER_KEY_ID].map((keyId) => ({ keyId, token: LEASE.token }));
let storage: Storage<PostgresTransaction>;
let host: Client;
beforeAll(async () => {
  storage = await createPostgresStorage({ connectionString, schema });
  await seed(storage.direct);
  const { endpoints, keys } = storage.direct;
  for (const keyId of [KEY_ID, OTHER_KEY_ID]) {
    await endpoints.save(sampleEndpoint(keyId));
    await appendStamped(storage.direct, [sampleEvent(1, T0 + 1, keyId)]);
  }
  await endpoints.lease(LEASE, T0, 2);
  for (const hash of ['hash-1', 'hash-2']) await keys.addSecret(sampleSecret(hash));
  host = new Client({ connectionString });
  await host.connect();
  await host.query('begin');
  const held = storage.within(host);
  await held.feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 4);
  await held.endpoints.findForUpdate(KEY_ID);
  await held.keys.saveSecrets([sampleSecret('hash-1', { expiresAt: T0 + 9 })]);
});
afterAll(async () => {
  await host.end();
  await storage.close();
  await database.drop();
});

it('takes stamps from unlocked heads', async () => {
  const requests = HOLDINGS.map(({ keyId }) => ({ keyId, count: 1 }));
  expect(await storage.direct.feed.takeFree(requests, T0 + 5)).toEqual([
    null,
    { keyId: OTHER_KEY_ID, count: 1, first: T0 + 5, isRecorded: false },
  ]);
});

it('waits a short time for locked heads, then restarts the transaction', async () => {
  const requests = HOLDINGS.map(({ keyId }) => ({ keyId, count: 1 }));
  const tries: string[] = [];
  const ranges = await storage.transaction(({ feed }) => {
    const how = tries.length === 0 ? 'takeSoon' : 'takeFree';
    tries.push(how);
    return feed[how](requests, T0 + 5);
  });
  expect(tries).toEqual(['takeSoon', 'takeFree']);
  expect(ranges).toMatchObject([null, { keyId: OTHER_KEY_ID }]);
});

it('reads only unlocked endpoints for a settlement', async () => {
  const found = await storage.transaction(({ endpoints }) => endpoints.findLeased(HOLDINGS));
  expect(found).toEqual(['busy', { endpoint: sampleEndpoint(OTHER_KEY_ID), watermark: T0 }]);
});

it('renews leases of unlocked endpoints, and tells locked from lost ones', async () => {
  const lost = { keyId: OTHER_KEY_ID, token: 'theirs' };
  const renewals = [...HOLDINGS, lost].map((holding) => ({ ...holding, forMs: 90_000 }));
  expect(await storage.direct.endpoints.renew(renewals)).toEqual(['busy', 'held', 'lost']);
});

it('records the use of unlocked secrets', async () => {
  const { keys } = storage.direct;
  await keys.touchSecrets(['hash-1', 'hash-2'], T0 + 5);
  const found = await keys.findByHashes(['hash-1', 'hash-2']);
  expect(found.map((each) => each?.secret.lastUsedAt)).toEqual([null, T0 + 5]);
});
