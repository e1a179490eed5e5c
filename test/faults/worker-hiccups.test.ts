/** Receivers that are away for a moment or limit, during a burst. Two workers send, and one is killed. In real time. */
import { setTimeout } from 'node:timers/promises';
import { createPartnerHiring, type KeyId, type PartnerHiring, type Storage } from '@partner-hiring/core';
import { createTestDatabase, type Host } from '@partner-hiring/test-support/storages';
import { expect, it, onTestFinished } from 'vitest';
import { MINUTE_MS } from '../../packages/core/src/domain/time.js';
import type { HiccupWorkerSettings } from './hiccup-worker.js';
import { BURSTS, type Burst, prepareBurst } from './stage/bursts.js';
import { type Child, startChild } from './stage/child.js';
import {
  type Admission,
  awayFor,
  type LimitedReceiver,
  limitOf,
  type Refusal,
  startLimitedReceiver,
} from './stage/limited-receiver.js';
import { IS_FULL, inWords, report, sized } from './stage/size.js';

const SECRET_KEY = '0123456789abcdef'.repeat(4);
/** The killed worker holds the endpoint until its lease ends. */
const LEASE_MS = 3_000;
const RUN_ENDS_WITHIN_MS = 1.5 * MINUTE_MS;
const LOOK_EVERY_MS = 100;
/** The share of the attempts that a limiting receiver may refuse. The start of a short run weighs more. */
const MAX_REFUSED = sized(0.1, 0.25);
const MAX_REFUSALS_OF_ONE = 4;

interface Run {
  readonly receiver: string;
  readonly burst: Burst;
  readonly count: number;
  readonly admission: () => Admission;
  readonly refusal: Refusal;
  readonly isLimiting: boolean;
}

function away(ms: number, burst: Burst, withRetryAfter: boolean, count = 1_000): Run {
  const refusal = { status: 503, withRetryAfter } as const;
  const receiver = `is away for ${inWords(ms)}${wordsOf(refusal)}`;
  return { receiver, burst, count, admission: () => awayFor(ms), refusal, isLimiting: false };
}

function limit(perSecond: number, burst: Burst, withRetryAfter: boolean, count = 1_000): Run {
  const refusal = { status: 429, withRetryAfter } as const;
  const receiver = `allows ${perSecond} a second${wordsOf(refusal)}`;
  return { receiver, burst, count, admission: () => limitOf(perSecond), refusal, isLimiting: true };
}

function wordsOf({ withRetryAfter }: Refusal): string {
  return withRetryAfter ? ', with Retry-After' : '';
}

/** Each receiver with one burst, and all bursts with the receiver that is away for a second. */
const ALL: readonly Run[] = [
  away(300, 'a grant', false),
  away(300, 'a sync', true),
  ...BURSTS.map((burst) => away(1_000, burst, false)),
  away(1_000, 'a resend', true),
  away(20_000, 'a backlog', false),
  away(20_000, 'a grant', true),
  limit(5, 'a sync', false, 300),
  limit(5, 'a backlog', true, 270),
  limit(20, 'a grant', false),
  limit(20, 'a resend', true, 800),
];
const FEW: readonly Run[] = [away(1_000, 'a backlog', true, 150), limit(20, 'a grant', true, 60)];
const RUNS = IS_FULL ? ALL : FEW;

interface Platform {
  readonly storage: Pick<Storage<unknown>, 'direct'>;
  readonly host: Host;
  readonly operator: PartnerHiring<unknown>['operator'];
  readonly receiver: LimitedReceiver;
  readonly keyId: KeyId;
  readonly workers: readonly Child<{ readonly pid: number }>[];
}

async function openPlatform(): Promise<Platform> {
  const database = await createTestDatabase();
  const receiver = await startLimitedReceiver();
  const storage = await database.open({ now: Date.now });
  const host = await database.host();
  const { operator } = createPartnerHiring({ storage, secretKey: SECRET_KEY, allowPrivateNetworks: true });
  const settings: HiccupWorkerSettings = {
    location: database.location,
    secretKey: SECRET_KEY,
    leaseMs: LEASE_MS,
  };
  const start = () => startChild<{ readonly pid: number }>('hiccup-worker.ts', [JSON.stringify(settings)]);
  const workers = await Promise.all([start(), start()]);
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await receiver.close();
    await host.close();
    await storage.close();
    await database.remove();
  });
  const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
  const endpointUrl = `${receiver.url}/webhooks`;
  const { key } = await operator.keys.issue({ partnerId, environment: 'production', endpointUrl });
  return { storage, host, operator, receiver, keyId: key.id, workers };
}

/** Kills the worker that has the endpoint, or the first one. */
async function killSender({ host, workers }: Platform): Promise<void> {
  const rows = await host.rows('select lease_token from ph_endpoint where lease_token is not null');
  const [{ lease_token: token } = { lease_token: '' }] = rows as { readonly lease_token: string }[];
  const sender = workers.find(({ ready }) => token.startsWith(`${ready.pid}-`)) ?? workers[0];
  await sender?.kill();
}

/** Returns the events that have not arrived. Each must wait for its retry. Null if one does not. */
async function waiting({ storage, receiver, keyId }: Platform): Promise<readonly string[] | null> {
  const [log = []] = await storage.direct.events.readLogs([{ keyId, after: -1, limit: 10_000 }]);
  const missing = log.filter(({ id }) => !receiver.accepted.has(id)).map(({ id }) => id);
  const rows = await storage.direct.deliveries.find(keyId, missing);
  const now = Date.now();
  const isScheduled = (index: number) => {
    const row = rows[index] ?? null;
    return row?.state === 'pending' && row.attempts > 0 && (row.dueAt ?? 0) > now;
  };
  return missing.every((_, index) => isScheduled(index)) ? missing : null;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + RUN_ENDS_WITHIN_MS;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error('The events have not arrived in time.');
    await setTimeout(LOOK_EVERY_MS);
  }
}

/** Measures a run: the burst, a kill in its middle, and what came of each event. */
async function measure(platform: Platform, { burst, count, admission, refusal }: Run) {
  const { storage, host, operator, receiver, keyId } = platform;
  const begin = await prepareBurst(burst, { operator, keyId, count, until });
  receiver.refuse(admission(), refusal);
  const third = until(() => receiver.accepted.size >= count / 3);
  await Promise.all([begin(), third.then(() => killSender(platform))]);
  const waits: string[] = [];
  await until(async () => {
    const found = await waiting(platform);
    waits.push(...(found ?? []));
    return found !== null;
  }).catch(() => {});
  const { state } = (await operator.endpoints.find({ keyId })) ?? {};
  const [dead] = await host.rows(`select count(*) as count from ph_delivery where state = 'dead'`);
  const [log = []] = await storage.direct.events.readLogs([{ keyId, after: -1, limit: 10_000 }]);
  const refusals = [...receiver.refused.values()];
  return {
    pauses: state?.kind === 'active' ? 0 : 1,
    events: log.length,
    lost: log.filter(({ id }) => !receiver.accepted.has(id) && !waits.includes(id)).length,
    waits,
    attempts: receiver.attempts(),
    refused: refusals.reduce((sum, times) => sum + times, 0),
    mostOfOne: Math.max(0, ...refusals),
    deadLetters: Number((dead as { readonly count: unknown }).count),
    lastMs: Math.max(...receiver.accepted.values()),
  };
}

it.each(RUNS.map((run) => [run.receiver, run.burst, run] as const))(
  'a receiver that %s is not paused by %s, and gets each event',
  async (_receiver, _burst, run) => {
    const platform = await openPlatform();
    const found = await measure(platform, run);
    const { pauses, lost, waits, attempts, refused, mostOfOne, deadLetters, lastMs } = found;
    report(
      `${run.burst} of ${run.count} to a receiver that ${run.receiver} (${process.env.STORAGE})`,
      `${pauses} pauses, ${lost} lost, ${refused} of ${attempts} attempts refused, ${mostOfOne} at most of one event, ` +
        `${deadLetters} dead letters, ${waits.length} wait for a retry, the last arrived after ${inWords(lastMs)}`,
    );
    expect(found).toMatchObject({ pauses: 0, lost: 0, deadLetters: 0, events: run.count });
    expect(waits.filter((id) => !platform.receiver.refused.has(id))).toEqual([]);
    expect(mostOfOne).toBeLessThanOrEqual(MAX_REFUSALS_OF_ONE);
    if (run.isLimiting) expect(refused / attempts).toBeLessThanOrEqual(MAX_REFUSED);
  },
  3 * MINUTE_MS,
);
