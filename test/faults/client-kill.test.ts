/** A partner's process that is killed while it submits, and restarted. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Child, startChild } from './stage/child.js';
import type { ClientOrders } from './stage/client-orders.js';
import { report, sized } from './stage/size.js';
import { openWatchedApi, type WatchedApi } from './stage/watched-api.js';

const ROUNDS = sized(87, 4);
/** The submission at which the process is killed. */
const KILL_AT = { min: 2, spread: 10 };
/** More than the killed rounds submit. */
const CANDIDATES = ROUNDS * (KILL_AT.min + KILL_AT.spread) + 20;
/** Keeps several submissions at each stage. */
const SLOWED_BY_MS = 15;

let api: WatchedApi;
let folder: string;
beforeEach(async () => {
  api = await openWatchedApi();
  folder = await mkdtemp(join(tmpdir(), 'partner-hiring-client-'));
});
afterEach(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Kills the process at its nth submission, before the API or after the commit. */
function killAt(nth: number, moment: 'before' | 'after', kill: () => Promise<void>): void {
  let count = 0;
  const strike = async () => {
    count += 1;
    if (count === nth) await kill();
    await pause(SLOWED_BY_MS * Math.random());
  };
  api.meddle({
    before: async () => {
      await (moment === 'before' ? strike() : pause(SLOWED_BY_MS * Math.random()));
      return null;
    },
    after: async (_, reply) => {
      await (moment === 'after' ? strike() : pause(SLOWED_BY_MS * Math.random()));
      return reply;
    },
  });
}

async function ended(child: Child<unknown>): Promise<void> {
  while (child.isRunning()) await pause(5);
}

it(`submits each of ${CANDIDATES} candidates once, with its own data, when killed ${ROUNDS} times`, async () => {
  const ids = Array.from({ length: CANDIDATES }, (_, index) => `ats-${index}`);
  const { baseUrl, apiKey, jobId } = api;
  const orders: ClientOrders = { baseUrl, apiKey, jobId, folder, ids };
  const start = () => startChild('client-child.ts', [JSON.stringify(orders)]);
  let leftPending = 0;

  for (let round = 0; round < ROUNDS; round += 1) {
    const nth = KILL_AT.min + Math.floor(Math.random() * KILL_AT.spread);
    killAt(nth, round % 2 === 0 ? 'after' : 'before', async () => (await child).kill());
    const child = start();
    await ended(await child);
    expect(existsSync(join(folder, 'done.json'))).toBe(false);
    leftPending += readdirSync(join(folder, 'submissions/pending')).length;
  }
  api.meddle({});
  await ended(await start());

  const promised = JSON.parse(readFileSync(join(folder, 'done.json'), 'utf8')) as string[];
  expect(new Set(promised).size).toBe(CANDIDATES);
  expect([...(await api.stored())].sort()).toEqual([...ids].sort());
  for (const id of ids) {
    expect((await api.candidates(id)).map(({ email }) => email)).toEqual([`${id}@example.org`]);
  }
  // Keys alone prevent duplicates: retries were replayed, not refused.
  expect(api.answers.filter(({ status }) => status === 409)).toEqual([]);
  expect(leftPending).toBeGreaterThanOrEqual(ROUNDS);
  const replays = api.answers.filter(({ isReplay }) => isReplay).length;
  expect(replays).toBeGreaterThan(0);
  report(
    'SIGKILL of a client in mid-submission',
    `${ROUNDS} rounds: ${CANDIDATES} candidates, ${leftPending} left pending, ${replays} replayed, 0 lost, 0 doubled`,
  );
}, 300_000);
