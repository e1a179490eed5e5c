import type { Databases } from '../databases.js';
import { BODY, startOnPostgres, startOnSqlite } from './ours.js';
import { createServerTime } from './processor-time.js';
import { startGraphile, startPgBoss } from './queues.js';
import type { Receiver } from './receiver.js';
import { type Sender, startSender } from './sender.js';

/** What is sent, and how. */
export interface Shape {
  readonly endpoints: number;
  readonly events: number;
  readonly inFlight: number;
}

/** What one side came to. */
export interface Throughput {
  readonly perSecond: number;
  /** Processor time of sender and database for one delivery, in microseconds. */
  readonly processorUs: number;
}

/** One side of the comparison: measures it once, from nothing. */
export type Side = (shape: Shape) => Promise<Throughput>;

/**
 * The share of the places that only newcomers get is added on top, so that one endpoint has as many attempts
 * under way as the others' programs.
 */
export function oursOptions({ endpoints, inFlight }: Shape) {
  return endpoints === 1
    ? { maxInFlight: Math.ceil((inFlight * 4) / 3), maxInFlightPerEndpoint: inFlight }
    : { maxInFlight: inFlight };
}

/** The sides. Each run has a process and a database of its own. */
export function createSides(receiver: Receiver, postgres: Databases) {
  const urls = ({ endpoints }: Shape) =>
    Array.from({ length: endpoints }, (_, index) => receiver.url(String(index)));
  const paths = ({ endpoints }: Shape) => Array.from({ length: endpoints }, (_, index) => `/${index}`);
  const origin = receiver.url('').slice(0, -1);

  async function measure(sender: Sender, events: number, database: string | null): Promise<Throughput> {
    const serverTime = database === null ? null : await createServerTime(database);
    const { reached } = await receiver.expect(events);
    const before = await sender.tell({ kind: 'usage' });
    const serverBefore = serverTime?.() ?? 0;
    const startedAt = performance.timeOrigin + performance.now();
    await sender.tell({ kind: 'start' });
    const ms = (await reached) - startedAt;
    const after = await sender.tell({ kind: 'stop' });
    const serverMs = (serverTime?.() ?? 0) - serverBefore;
    sender.end();
    const usedMs = after.processorMs - before.processorMs + serverMs;
    return { perSecond: (events / ms) * 1_000, processorUs: (usedMs / events) * 1_000 };
  }

  const sides = {
    ours: async (shape: Shape) => {
      const url = await postgres.create();
      const ours = await startOnPostgres(url, urls(shape), oursOptions(shape));
      await ours.fill(ours.keyIds, shape.events / shape.endpoints);
      return measure(ours, shape.events, url);
    },
    oursOnSqlite: async (shape: Shape) => {
      const ours = await startOnSqlite(urls(shape), oursOptions(shape));
      await ours.fill(ours.keyIds, shape.events / shape.endpoints);
      return measure(ours, shape.events, null);
    },
    graphile: async (shape: Shape) => {
      const url = await postgres.create();
      const queue = await startGraphile(url, origin, shape.inFlight);
      await queue.fill(paths(shape), shape.events / shape.endpoints);
      return measure(queue, shape.events, url);
    },
    pgBoss: async (shape: Shape) => {
      const url = await postgres.create();
      const queue = await startPgBoss(url, origin, shape.inFlight);
      await queue.fill(paths(shape), shape.events / shape.endpoints);
      return measure(queue, shape.events, url);
    },
    raw: async (shape: Shape) => {
      const args = [origin, String(shape.events), String(shape.inFlight), BODY, ...paths(shape)];
      return measure(await startSender('send-raw.js', args), shape.events, null);
    },
  } satisfies Readonly<Record<string, Side>>;
  return sides;
}
