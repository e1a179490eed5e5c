import type { Delivery } from '../../domain/delivery.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import { checkedLimit } from '../input.js';
import type { Runner } from '../scope.js';
import {
  cancelOne,
  type DeliveryOutcome,
  type RedeliveryOutcome,
  redeliverAll,
  redeliverMany,
  redeliverOne,
  redeliverSince,
} from './change-delivery.js';
import {
  countDeliveries,
  type DeliveryCounts,
  type DeliveryDetails,
  type DeliveryTarget,
  findDelivery,
} from './find-delivery.js';
import {
  type AttemptPage,
  type DeliveryFilter,
  type DeliveryPage,
  listAttempts,
  listDeliveries,
  type PageFilter,
} from './list-deliveries.js';

/** Manages deliveries of events. Successful first attempts are not recorded. */
export interface DeliveryCommands {
  /**
   * Returns the newest dead letters. `list` pages through all of them.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const dead = await operator.deliveries.listDead({ keyId, limit: 20 });
   */
  listDead(filter?: Pick<DeliveryFilter, 'keyId' | 'limit'>): Promise<readonly Delivery[]>;
  /**
   * Returns a page of deliveries, newest event first. Without `keyId`, it omits first-attempt successes.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const first = await operator.deliveries.list({ keyId, state: 'dead' });
   * if (first.nextCursor !== null) {
   *   const second = await operator.deliveries.list({ keyId, state: 'dead', cursor: first.nextCursor });
   * }
   */
  list(filter: DeliveryFilter): Promise<DeliveryPage>;
  /**
   * Returns a page of a key's attempts, newest first, without successful first attempts.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const { attempts } = await operator.deliveries.listAttempts({ keyId, since: Date.parse('2026-01-31T09:00Z') });
   */
  listAttempts(filter: PageFilter & { readonly keyId: KeyId }): Promise<AttemptPage>;
  /**
   * Returns a delivery with its event and attempts, or null.
   * @example
   * const found = await operator.deliveries.find({ keyId, eventId });
   * const lastOutcome = found?.attempts.at(-1)?.outcome;
   */
  find(target: DeliveryTarget): Promise<DeliveryDetails | null>;
  /**
   * Counts the backlog of one endpoint, or of each. Above 10,000 per kind and endpoint, `isExact` is false.
   * @example
   * const { overall, endpoints } = await operator.deliveries.counts();
   * const waiting = overall.due + overall.scheduled;
   */
  counts(target?: { readonly keyId?: KeyId }): Promise<DeliveryCounts>;
  /**
   * Sends an event again with the same id and ten new attempts. A pending delivery is unchanged.
   * @throws OperatorError `KEY_NOT_FOUND`, `ENDPOINT_NOT_FOUND` or `DELIVERY_NOT_FOUND`.
   * @example
   * const { changed } = await operator.deliveries.redeliver({ keyId, eventId });
   */
  redeliver(target: DeliveryTarget): Promise<DeliveryOutcome>;
  /**
   * Sends up to 1000 events again.
   * @throws OperatorError `INVALID_INPUT`, `KEY_NOT_FOUND` or `ENDPOINT_NOT_FOUND`.
   * @example
   * const { redelivered, missing } = await operator.deliveries.redeliverMany({ keyId, eventIds: [eventId] });
   */
  redeliverMany(target: {
    readonly keyId: KeyId;
    readonly eventIds: readonly EventId[];
  }): Promise<RedeliveryOutcome>;
  /**
   * Sends every event recorded from `since` on and before `until` again, even delivered ones. Commits after
   * each 1000 events. After an error, call it again.
   * @throws OperatorError `INVALID_INPUT`, `KEY_NOT_FOUND` or `ENDPOINT_NOT_FOUND`.
   * @example
   * const since = Date.parse('2026-01-31T09:00Z');
   * const { redelivered } = await operator.deliveries.redeliverSince({ keyId, since });
   */
  redeliverSince(window: {
    readonly keyId: KeyId;
    readonly since: Instant;
    readonly until?: Instant;
  }): Promise<{ readonly redelivered: number }>;
  /**
   * Sends all dead letters of a key again. Commits after each 1000.
   * @throws OperatorError `KEY_NOT_FOUND` or `ENDPOINT_NOT_FOUND`.
   * @example
   * const { redelivered } = await operator.deliveries.redeliverAll({ keyId });
   */
  redeliverAll(target: { readonly keyId: KeyId }): Promise<{ readonly redelivered: number }>;
  /**
   * Cancels a pending delivery. An attempt in progress still completes, and may deliver it: to send nothing
   * more, pause the endpoint and cancel after the next poll.
   * @throws OperatorError `KEY_NOT_FOUND`, `ENDPOINT_NOT_FOUND`, `DELIVERY_NOT_FOUND`, or `ILLEGAL_MOVE` if
   *   it is not pending, or was never attempted while a worker holds the endpoint or 10,000 older events
   *   wait.
   * @example
   * const { changed } = await operator.deliveries.cancel({ keyId, eventId });
   */
  cancel(target: DeliveryTarget): Promise<DeliveryOutcome>;
}

export function deliveryCommands(runner: Runner): DeliveryCommands {
  const { run, read } = runner;
  return {
    listDead: async ({ keyId, limit: requested } = {}) => {
      const limit = checkedLimit('deliveries.listDead', requested);
      return read.deliveries.list({ keyId: keyId ?? null, state: 'dead', limit });
    },
    list: (filter) => listDeliveries(read, filter),
    listAttempts: (filter) => listAttempts(read, filter),
    find: (target) => findDelivery(read, target),
    counts: ({ keyId } = {}) => countDeliveries(runner, keyId ?? null),
    redeliver: (target) => run((scope) => redeliverOne(scope, target)),
    redeliverMany: ({ keyId, eventIds }) => run((scope) => redeliverMany(scope, keyId, eventIds)),
    redeliverSince: (window) => redeliverSince(runner, window),
    redeliverAll: ({ keyId }) => redeliverAll(runner, keyId),
    cancel: (target) => run((scope) => cancelOne(scope, target)),
  };
}
