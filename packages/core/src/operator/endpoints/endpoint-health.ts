import type { BacklogCounts } from '../../domain/backlog.js';
import type { AttemptRecord } from '../../domain/delivery.js';
import type { KeyId } from '../../domain/ids.js';
import { countDeliveries } from '../deliveries/count-deliveries.js';
import type { Runner } from '../scope.js';
import { type EndpointView, viewEndpoint } from './endpoint-view.js';

/** How an endpoint does. */
export interface EndpointHealthReport {
  /** With its state, and its failures and successes. */
  readonly endpoint: EndpointView;
  readonly counts: BacklogCounts;
  /** The newest attempts that did not go well at once, newest first; at most five. */
  readonly lastAttempts: readonly AttemptRecord[];
}

/** Enough to see whether an endpoint fails in one way or in several. */
const LAST_ATTEMPTS = 5;

/** How an endpoint does; null without one. */
export async function endpointHealth(runner: Runner, keyId: KeyId): Promise<EndpointHealthReport | null> {
  const endpoint = await runner.read.endpoints.find(keyId);
  if (endpoint === null) return null;
  const { overall: counts } = await countDeliveries(runner, keyId);
  const lastAttempts = await runner.read.deliveries.listAttempts({ keyId, limit: LAST_ATTEMPTS });
  return { endpoint: viewEndpoint(endpoint), counts, lastAttempts };
}
