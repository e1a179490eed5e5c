import { expect } from 'vitest';
import { startHost } from './host.js';
import type { HttpClient } from './http-client.js';
import type { Platform } from './platform.js';
import type { Receiver } from './receiver.js';
import { allDelivered, deliveredAgain, expectEachOnce } from './reckoning.js';
import { inWords, median, report } from './size.js';
import { startStorm } from './storm.js';

export interface CrashStorm {
  readonly platform: Platform;
  readonly receiver: Receiver;
  readonly http: HttpClient;
  readonly crashes: number;
  /** How long clients submit around each crash. */
  readonly betweenMs: number;
  readonly deliveredWithinMs: number;
  crash(): Promise<void>;
  /** Brings back what crashed. Returns when it was there again, by `performance.now()`. */
  restore(): Promise<number>;
  /** For the report: what crashed, and what came back. */
  readonly words: { readonly title: string; readonly subject: string };
}

const CLIENTS = 16;
const KEYS = 8;
/** Short, because leases expire during the outage. */
const LEASE_MS = 3_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Submits and hires candidates through two APIs and a worker while something under them crashes, again and again. Expects
 * that no process ends, and that nothing is lost or doubled.
 */
export async function expectToSurvive(asked: CrashStorm): Promise<void> {
  const { platform, receiver, http, crashes, betweenMs, words } = asked;
  const tenants = await platform.tenants(KEYS, receiver.url);
  const [api, otherApi, worker] = await Promise.all([
    platform.startApi(),
    platform.startApi(),
    platform.startWorker(LEASE_MS),
  ]);
  const apis = [api, otherApi];
  const storm = startStorm({ clients: CLIENTS, tenants, http, replicas: () => apis });
  const host = startHost(platform.fixture, storm.acknowledged);
  const backMs: number[] = [];

  for (let crash = 0; crash < crashes; crash += 1) {
    await pause(betweenMs);
    await asked.crash();
    const before = storm.acknowledged.length;
    const upAt = await asked.restore();
    while (storm.acknowledged.length === before) await pause(1);
    backMs.push(Math.max(0, (storm.acknowledged[before]?.at ?? upAt) - upAt));
  }
  await pause(betweenMs);
  await storm.end();
  await host.end();
  await allDelivered(host.decided, receiver, asked.deliveredWithinMs);

  expect([...apis, worker].map((replica) => replica.isRunning())).toEqual([true, true, true]);
  expect(storm.acknowledged.length).toBeGreaterThan(crashes * CLIENTS);
  await expectEachOnce(platform.database, storm.acknowledged);
  expect(receiver.ambiguous).toEqual([]);
  const retried = storm.acknowledged.filter(({ attempts }) => attempts > 1).length;
  report(
    words.title,
    `${crashes} times: ${storm.acknowledged.length} candidates, ${retried} retried, 0 lost, 0 doubled; ` +
      `${host.decided.length} events, 0 missing, ${deliveredAgain(receiver)} repeated; first 201 ` +
      `${inWords(median(backMs))} after ${words.subject} was up, at worst ${inWords(Math.max(...backMs))}; no process ended`,
  );
}
