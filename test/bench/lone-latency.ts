import { median } from './compare.js';
import { load } from './load.js';

/** The median time of a request that has the server to itself: one connection, one after the other, in µs. */
export async function loneLatency(
  port: number,
  status: number,
  nextRequest: () => string,
  durationMs: number,
): Promise<number> {
  const { statuses, latenciesUs } = await load({ port, nextRequest, durationMs, connections: 1 });
  if (Object.keys(statuses).join() !== String(status)) throw new Error(`Got ${JSON.stringify(statuses)}`);
  return median(latenciesUs);
}
