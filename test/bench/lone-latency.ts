import { median, type Pair } from './compare.js';
import { load } from './load.js';
import { type LoneTarget, openLone } from './lone-client.js';

/** The median time of a request that has the server to itself: one connection, one after the other, in µs. */
export async function loneLatency(
  { port, status, nextRequest }: LoneTarget,
  durationMs: number,
): Promise<number> {
  const { statuses, latenciesUs } = await load({ port, nextRequest, durationMs, connections: 1 });
  if (Object.keys(statuses).join() !== String(status)) throw new Error(`Got ${JSON.stringify(statuses)}`);
  return median(latenciesUs);
}

/**
 * The median times of lone requests to two servers that take turns request by request: what a client of one server
 * leaves it between two of its requests, and what the machine does meanwhile, is the same for both.
 */
export async function alternatingLatencies(
  ours: LoneTarget,
  baseline: LoneTarget,
  durationMs: number,
): Promise<Pair> {
  const [own, other] = [await openLone(ours), await openLone(baseline)];
  const times = { ours: [] as number[], baseline: [] as number[] };
  for (const until = performance.now() + 2 * durationMs; performance.now() < until; ) {
    times.ours.push(await own.time());
    times.baseline.push(await other.time());
  }
  own.close();
  other.close();
  return { ours: median(times.ours), baseline: median(times.baseline) };
}
