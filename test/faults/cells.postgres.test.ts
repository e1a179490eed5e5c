/** Eight cells keep their promises while partners move between them, and while processes are killed. */
import { namesOfSchemas, type TestSchema } from '@partner-hiring/test-support/postgres/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MoverOrders } from './cell-mover.js';
import { type Child, startChild } from './stage/child.js';
import { startHost } from './stage/host.js';
import { createHttpClient } from './stage/http-client.js';
import { openPlatform, type Platform, type Tenant } from './stage/platform.js';
import { type Receiver, startReceiver } from './stage/receiver.js';
import { allDelivered, expectEachOnce } from './stage/reckoning.js';
import type { Replica } from './stage/replicas.js';
import { report, sized } from './stage/size.js';
import { type Acknowledged, startStorm } from './stage/storm.js';

const CELLS = 8;
const CLIENTS = 8;
const KEYS = 6;
const ROUNDS = sized(12, 2);
const LEASE_MS = 3_000;
const ROUND_MS = 1_500;
/** A killed mover is replaced at once. */
const MOVERS_PER_ROUND = 3;
const RECOVERED_AFTER_LEASE_MS = 30_000;
/** Creating the tables of all cells takes long on a busy machine. */
const SET_UP_MS = 240_000;

const http = createHttpClient();
let platform: Platform;
let receiver: Receiver;
let tenants: readonly Tenant[];
beforeAll(async () => {
  [platform, receiver] = await Promise.all([openPlatform(undefined, CELLS), startReceiver()]);
  tenants = await platform.tenants(KEYS, receiver.url);
}, SET_UP_MS);
afterAll(async () => {
  http.close();
  await platform.close();
  await receiver.close();
}, SET_UP_MS);

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function startMover(): Promise<Child<string>> {
  const { connectionString, run } = platform.database;
  const schemas = namesOfSchemas(platform.database);
  const partners = await run(
    schemas.map((schema) => `select id from ${schema}.ph_partner`).join(' union all '),
  );
  const orders: MoverOrders = {
    connectionString,
    schemas,
    partnerIds: partners.map(({ id }) => id as `ptn_${string}`),
  };
  return startChild<string>('cell-mover.ts', [JSON.stringify(orders)]);
}

/** Tables whose rows belong to a key. */
const OF_KEYS = [
  'key_secret',
  'access',
  'feed_head',
  'key_job',
  'application',
  'idempotency',
  'event',
  'endpoint',
];
const ALSO_OF_KEYS = [
  'delivery',
  'attempt',
  'inbox_head',
  'inbox_entry',
  'inbox_erasure',
  'delivery_evidence',
  'alert',
];

/** Checks that each key is in one cell, with all of its rows. */
async function expectNoStrays(database: TestSchema): Promise<void> {
  const schemas = namesOfSchemas(database);
  const keys = await database.run(
    schemas.map((schema) => `select id from ${schema}.ph_partner_key`).join(' union all '),
  );
  expect(new Set(keys.map(({ id }) => id)).size).toBe(keys.length);
  expect(keys).toHaveLength(KEYS);
  for (const schema of schemas) {
    for (const table of [...OF_KEYS, ...ALSO_OF_KEYS]) {
      const strays = await database.run(
        `select key_id from ${schema}.ph_${table} where key_id not in (select id from ${schema}.ph_partner_key)`,
      );
      expect(strays, `${schema}.ph_${table}`).toEqual([]);
    }
  }
}

it('loses and doubles nothing while partners move, and movers, APIs and workers are killed', async () => {
  const startWorker = () => platform.startWorker(LEASE_MS);
  const { startApi } = platform;
  // One after the other: together, they take too long to start on a busy machine.
  const api = await startApi();
  const otherApi = await startApi();
  const workers = [await startWorker(), await startWorker()];
  const apis = [api, otherApi];
  const acknowledged: Acknowledged[] = [];
  const decided: string[] = [];
  let moves = 0;

  for (let round = 0; round < ROUNDS; round += 1) {
    const storm = startStorm({ clients: CLIENTS, tenants, http, replicas: () => apis });
    const host = startHost(platform.fixture, storm.acknowledged);
    for (let time = 0; time < MOVERS_PER_ROUND; time += 1) {
      const mover = await startMover();
      let moved = 0;
      while (moved === 0) {
        await pause(ROUND_MS / MOVERS_PER_ROUND);
        moved = await mover.ask<number>({});
      }
      moves += moved;
      // Somewhere in its next moves.
      await pause(Math.random() * 100);
      await mover.kill();
      if (time === 0) await Promise.all([apis[round % 2]?.kill(), workers[round % 2]?.kill()]);
    }
    await storm.end();
    await host.end();
    await allDelivered(host.decided, receiver, LEASE_MS + RECOVERED_AFTER_LEASE_MS);
    acknowledged.push(...storm.acknowledged);
    decided.push(...host.decided);
    if (round + 1 < ROUNDS) {
      [apis[round % 2], workers[round % 2]] = (await Promise.all([startApi(), startWorker()])) as [
        Replica,
        Replica,
      ];
    }
  }
  await Promise.all([...apis, ...workers].map((replica) => replica.kill()));

  expect(moves).toBeGreaterThan(ROUNDS);
  expect(acknowledged.length).toBeGreaterThan(ROUNDS * CLIENTS);
  await expectEachOnce(platform.database, acknowledged);
  await expectNoStrays(platform.database);
  expect(decided.length).toBeGreaterThan(ROUNDS);
  expect(receiver.ambiguous).toEqual([]);
  const retried = acknowledged.filter(({ attempts }) => attempts > 1).length;
  report(
    'Moves between eight cells, with SIGKILL of movers, API replicas and workers',
    `${ROUNDS} rounds: ${moves} moves, ${acknowledged.length} candidates, ${retried} retried, 0 lost, 0 doubled; ` +
      `${decided.length} events, 0 missing`,
  );
}, 600_000);
