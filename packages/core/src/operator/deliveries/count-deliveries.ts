import { countBacklog, sumBacklogs } from '../../domain/backlog.js';
import type { KeyId } from '../../domain/ids.js';
import type { DeliveryCounts } from '../deliveries.js';
import type { Runner } from '../scope.js';

/** Far beyond what a person reacts to differently, and some milliseconds of reading an index. */
const COUNT_BOUND = 10_000;

/** What waits for an endpoint, or for each with null. */
export async function countDeliveries(
  { read, now: readTime, settings }: Runner,
  keyId: KeyId | null,
): Promise<DeliveryCounts> {
  const now = await readTime();
  const rules = { now, bound: COUNT_BOUND, maxInFlight: settings.maxInFlightPerEndpoint };
  const backlogs = await read.endpoints.backlogs(keyId, now, COUNT_BOUND);
  const endpoints = backlogs.map((backlog) => ({ keyId: backlog.keyId, ...countBacklog(backlog, rules) }));
  return { overall: sumBacklogs(endpoints, now), endpoints };
}
