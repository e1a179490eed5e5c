import type { Databases } from '../databases.js';
import { BODY, type OptionalPart, startOnPostgres, startOnSqlite } from './ours.js';
import { createServerTime } from './processor-time.js';
import { startGraphile, startPgBoss } from './queues.js';
import type { Receiver } from './receiver.js';
import { type Sender, startSender } from './sender.js';

/** What is sent, and how. */
export interface Shape {
  readonly endpoints: number;
  /** Those that are measured. */
  readonly events: number;
  /** Those that are sent before, by the same process: a worker lives for days, and compiles what it does once. */
  readonly warmUp: number;
  readonly inFlight: number;
  /** Ours only: what to leave out. */
  readonly without?: readonly OptionalPart[];
  /** Ours only: where the built servers of another checkout are. */
  readonly servers?: string;
}

/** What one side came to. */
export interface Throughput {
  readonly perSecond: number;
  /** Processor time of sender and database for one delivery, in microseconds. */
  readonly processorUs: number;
  /** The part of it that the database's own processes used. SQLite has none. */
  readonly databaseUs: number;
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

/** So many for each endpoint that the pace holds until the last one that is measured. */
function eventsEach({ endpoints, events, warmUp }: Shape): number {
  return Math.ceil((events + 2 * warmUp) / endpoints);
}

/** The sides. Each run has a process and a database of its own. */
export function createSides(receiver: Receiver, postgres: Databases) {
  const urls = ({ endpoints }: Shape) =>
    Array.from({ length: endpoints }, (_, index) => receiver.url(String(index)));
  const paths = ({ endpoints }: Shape) => Array.from({ length: endpoints }, (_, index) => `/${index}`);
  const origin = receiver.url('').slice(0, -1);

  async function measure(
    sender: Sender,
    { events, warmUp }: Shape,
    database: string | null,
  ): Promise<Throughput> {
    const serverTime = database === null ? null : await createServerTime(database);
    const warm = await receiver.expect(warmUp);
    await sender.tell({ kind: 'start' });
    await warm.reached;
    const before = await sender.tell({ kind: 'usage' });
    const serverBefore = serverTime?.() ?? 0;
    const { reached } = await receiver.expect(events);
    const startedAt = performance.timeOrigin + performance.now();
    const ms = (await reached) - startedAt;
    const after = await sender.tell({ kind: 'usage' });
    const serverMs = (serverTime?.() ?? 0) - serverBefore;
    await sender.tell({ kind: 'stop' });
    sender.end();
    const usedMs = after.processorMs - before.processorMs + serverMs;
    const each = (all: number) => (all / events) * 1_000;
    return { perSecond: (events / ms) * 1_000, processorUs: each(usedMs), databaseUs: each(serverMs) };
  }

  const sides = {
    ours: async (shape: Shape) => {
      const url = await postgres.create();
      const ours = await startOnPostgres(url, urls(shape), oursOptions(shape), shape.without, shape.servers);
      await ours.fill(ours.keyIds, eventsEach(shape));
      return measure(ours, shape, url);
    },
    oursOnSqlite: async (shape: Shape) => {
      const ours = await startOnSqlite(urls(shape), oursOptions(shape), shape.without, shape.servers);
      await ours.fill(ours.keyIds, eventsEach(shape));
      return measure(ours, shape, null);
    },
    graphile: async (shape: Shape) => {
      const url = await postgres.create();
      const queue = await startGraphile(url, origin, shape.inFlight);
      await queue.fill(paths(shape), eventsEach(shape));
      return measure(queue, shape, url);
    },
    pgBoss: async (shape: Shape) => {
      const url = await postgres.create();
      const queue = await startPgBoss(url, origin, shape.inFlight);
      await queue.fill(paths(shape), eventsEach(shape));
      return measure(queue, shape, url);
    },
    raw: async (shape: Shape) => {
      const count = String(eventsEach(shape) * shape.endpoints);
      const args = [origin, count, String(shape.inFlight), BODY, ...paths(shape)];
      return measure(await startSender('send-raw.js', args), shape, null);
    },
  } satisfies Readonly<Record<string, Side>>;
  return sides;
}
