import type { RequestRoute } from '../../domain/answered-request.js';
import { isSuccess } from '../../domain/delivery.js';
import type { StoredEndpoint } from '../../domain/endpoint.js';
import type { KeyId } from '../../domain/ids.js';
import { MAX_ATTEMPTS } from '../../domain/retry-schedule.js';
import { type Instant, toIso } from '../../domain/time.js';
import type { DeliveryDetails } from '../../groups/deliveries/find-delivery.js';
import type { Repositories } from '../../ports/storage.js';
import type { RequestReads } from '../request-log/rules.js';
import { outcomeText } from './describe-fact.js';
import type { NewsState, PartnerNews } from './timeline.js';

/** A change that a partner should know. */
export interface ChangeOfKey {
  readonly keyId: KeyId;
  readonly changedAt: Instant;
  /** The list that shows it. */
  readonly route: RequestRoute;
  /**
   * Whether such a change causes an event if the key has an endpoint. `sometimes`: only some changes of an open job do.
   */
  readonly causesEvent: 'always' | 'sometimes' | 'never';
  readonly event: DeliveryDetails | null;
  /** The first reads that showed the change. */
  readonly reads: RequestReads | null;
}

/** Says whether the partner knows of a change. A list read counts as much as a delivered event. */
export async function findNews(
  read: Pick<Repositories, 'endpoints' | 'requests'>,
  change: ChangeOfKey,
): Promise<PartnerNews> {
  const { keyId, changedAt, route, event, reads } = change;
  const news = (state: NewsState, knownSince: Instant | null, text: string): PartnerNews => ({
    changedAt,
    state,
    knownSince,
    text,
  });
  const evidence = event?.successes[0] ?? null;
  if (evidence !== null) {
    const text = `The partner's endpoint accepted the event at ${toIso(evidence.deliveredAt)} with ${evidence.status}.`;
    return news('delivered', evidence.deliveredAt, text);
  }
  if (event?.delivery.state === 'delivered') {
    return news(
      'delivered',
      event.delivery.lastAttemptAt,
      'The event was delivered. The time was not recorded.',
    );
  }
  if (reads !== null) {
    const text = `The partner read the change in GET ${route}, at ${toIso(reads.lastAt)} at the latest.`;
    return news('read', reads.lastAt, text);
  }
  const endpoint = await read.endpoints.find(keyId);
  const last = await lastReadText(read, change);
  if (event !== null) {
    const [state, text] = describeUndelivered(event, endpoint);
    return news(state, null, `${text} ${last}`);
  }
  const noEvent = `This change causes no event: the partner learns of it from GET ${route}. ${last}`;
  if (change.causesEvent === 'never') return news('no_event', null, noEvent);
  if (endpoint === null || endpoint.createdAt > changedAt) {
    const text = `The key had no endpoint at the time, so there is no event. endpoints.setUrl creates one. ${last}`;
    return news('no_endpoint', null, text);
  }
  if (change.causesEvent === 'sometimes') return news('no_event', null, noEvent);
  return news('expired', null, `The event is no longer stored, and neither is its delivery. ${last}`);
}

function describeUndelivered(
  { delivery, attempts }: DeliveryDetails,
  endpoint: StoredEndpoint | null,
): readonly [NewsState, string] {
  const failed = attempts.filter(({ outcome }) => !isSuccess(outcome)).at(-1);
  const why =
    failed === undefined
      ? ''
      : ` The last attempt failed at ${toIso(failed.endedAt)}: ${outcomeText(failed.outcome)}.`;
  if (delivery.state === 'dead') {
    return ['dead', `All ${MAX_ATTEMPTS} attempts failed.${why} deliveries.resend sends the event.`];
  }
  if (delivery.state === 'cancelled') {
    return ['cancelled', `The host cancelled the delivery.${why} deliveries.resend sends the event.`];
  }
  if (endpoint?.state.kind === 'paused') {
    const { reason, pausedAt } = endpoint.state;
    const text = `The endpoint is paused since ${toIso(pausedAt)} (${reason}).${why} endpoints.resume sends the event.`;
    return ['paused', text];
  }
  const { dueAt } = delivery;
  const next =
    dueAt === null || failed === undefined
      ? 'The event waits for its first attempt.'
      : `The next attempt is due at ${toIso(dueAt)}.`;
  return ['waiting', `${next}${why} deliveries.resend sends it now.`];
}

async function lastReadText(
  { requests }: Pick<Repositories, 'requests'>,
  { keyId, route }: ChangeOfKey,
): Promise<string> {
  const last = await requests.findLastReads(keyId, route);
  if (last === null) return `The request log has no read of GET ${route} by this key.`;
  const through = last.readRange === null ? '' : `, with all changes up to ${toIso(last.readRange.through)}`;
  return `The key last read GET ${route} at ${toIso(last.lastAt)}${through}.`;
}
