import type { AttemptRecord } from '../../domain/delivery.js';
import type { KeyId } from '../../domain/ids.js';
import { isGiven } from '../../domain/optional.js';
import { onFilter, onKey } from '../../operator/command/claims.js';
import { type Definitions, inTransaction } from '../../operator/command/definition.js';
import {
  dryRun,
  id,
  LIST_LIMIT,
  listField,
  oneOf,
  optional,
  optionalId,
  page,
  range,
} from '../../operator/command/fields.js';
import { type BrokenRule, filter, record } from '../../operator/command/input.js';
import type { Page } from '../../operator/page-cursor.js';
import { cancelDelivery, type DeliveryOutcome } from './cancel-delivery.js';
import { type DeliveryFilter, deliveryFilter, type PageFilter } from './delivery-filter.js';
import {
  countDeliveries,
  type DeliveryCounts,
  type DeliveryDetails,
  type DeliveryLookup,
  type DeliveryTarget,
  findDelivery,
} from './find-delivery.js';
import { listAttempts, listDeliveries } from './list-deliveries.js';
import type { Delivery } from './read-deliveries.js';
import { type ResendResult, type ResendTarget, resend } from './resend.js';

/** Manages deliveries of events. `find` and `list` show the time of each success, even at the first attempt. */
export interface DeliveryCommands {
  /**
   * Returns a page of deliveries, newest event first, 100 by default. `DeliveryFilter` says which filters are required
   * and which can be combined. Without `keyId`, `partnerId` and `applicationId`, the state `delivered` omits events
   * that succeeded at the first attempt. With `type`, `onlyFailing`, `waits` or the state `delivered`, a page may be short
   * or empty: continue until `nextCursor` is null.
   * @example
   * const first = await operator.deliveries.list({ keyId, state: 'dead' });
   * if (first.nextCursor !== null) {
   *   const second = await operator.deliveries.list({ keyId, state: 'dead', cursor: first.nextCursor });
   * }
   * const failing = await operator.deliveries.list({ partnerId, onlyFailing: true, type: 'application.status_changed' });
   */
  list(filter: DeliveryFilter): Promise<Page<Delivery>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { eventId } of operator.deliveries.each({ keyId, state: 'dead' })) console.log(eventId);
   */
  each(filter: DeliveryFilter): AsyncIterable<Delivery>;
  /**
   * Returns a page of a key's attempts, newest first, 100 by default, with or without `since` and `until`. First attempts
   * that succeeded are not in this list: `list` shows them as evidence.
   * @example
   * const { items: attempts } = await operator.deliveries.listAttempts({ keyId, since: Date.parse('2026-01-31T09:00Z') });
   */
  listAttempts(filter: PageFilter & { readonly keyId: KeyId }): Promise<Page<AttemptRecord>>;
  /**
   * Iterates over the rows of `listAttempts` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { eventId, outcome } of operator.deliveries.eachAttempt({ keyId })) console.log(eventId, outcome);
   */
  eachAttempt(filter: PageFilter & { readonly keyId: KeyId }): AsyncIterable<AttemptRecord>;
  /**
   * Returns a delivery with its event, attempts and successes, or null if the event does not exist anymore. Pass `keyId` if
   * you know it: otherwise the logs of all keys are searched.
   * @example
   * const found = await operator.deliveries.find({ keyId, eventId });
   * if (found?.delivery.evidence) {
   *   const { deliveredAt, status, latencyMs } = found.delivery.evidence;
   * }
   * const lastOutcome = found?.attempts.at(-1)?.outcome;
   */
  find(target: DeliveryLookup): Promise<DeliveryDetails | null>;
  /**
   * Counts the backlog of one endpoint or of every endpoint. `endpoints` has one row for each key with an endpoint: at
   * most two for each partner. `isExact` is false if an endpoint has more than 10,000 events of one kind.
   * @example
   * const { overall, endpoints } = await operator.deliveries.count();
   * const waiting = overall.due + overall.scheduled;
   */
  count(target?: { readonly keyId?: KeyId | undefined }): Promise<DeliveryCounts>;
  /**
   * Resends events of a key or of a partner now, with the same ids: at most 1,000 `eventIds`, those since a time, or
   * only what is undelivered. Deliveries that wait for their next attempt are due now and keep their attempts.
   * Delivered, dead and cancelled ones start ten new attempts.
   *
   * Events by their ids are sent in one transaction. Otherwise commits after each 1,000 deliveries. After 10,000, the
   * command returns, and the worker sends the rest as an operation. With `partnerId`, the worker sends everything.
   * After an error, call it again.
   * @throws OperatorError `KEY_NOT_FOUND`; `PARTNER_NOT_FOUND`; `ENDPOINT_NOT_FOUND` if the key, or each key of the
   *   partner, has no endpoint.
   * @example
   * const { count, held, skipped, missing } = await operator.deliveries.resend({ keyId, eventIds: [eventId] });
   * // What was missed: dead letters, and deliveries that wait for their next attempt.
   * await operator.deliveries.resend({ keyId, only: 'undelivered' });
   * // Everything of a time, even delivered events, to all keys of a partner.
   * const since = Date.parse('2026-01-31T09:00Z');
   * const { operation } = await operator.deliveries.resend({ partnerId, since });
   */
  resend(target: ResendTarget): Promise<ResendResult>;
  /**
   * Cancels a pending delivery or a dead letter; `changed` is false if it was cancelled before. Its partner cannot
   * resend it, but you can. An attempt in progress still completes and may deliver the event. To prevent further
   * attempts, pause the endpoint and cancel after the worker's next poll.
   * @throws OperatorError `KEY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`; `DELIVERY_NOT_FOUND`; `ILLEGAL_MOVE` if the event is
   *   delivered, or if it was never attempted and a worker is sending to the endpoint or more than 10,000 older events
   *   wait.
   * @example
   * const { changed } = await operator.deliveries.cancel({ keyId, eventId });
   */
  cancel(target: DeliveryTarget): Promise<DeliveryOutcome>;
}

const target = { keyId: id('key'), eventId: id('event') };

function brokenResendRules({
  keyId,
  partnerId,
  eventIds,
  since,
  until,
  only,
}: ResendTarget): readonly BrokenRule[] {
  const rules: readonly (readonly [isBroken: boolean, rule: string])[] = [
    [isGiven(keyId) === isGiven(partnerId), 'must have either keyId or partnerId'],
    [
      isGiven(eventIds) && (isGiven(partnerId) || isGiven(since)),
      'must have eventIds only with keyId, and without since and until',
    ],
    [isGiven(until) && !isGiven(since), 'must have since if it has until'],
    [[eventIds, since, only].every((value) => !isGiven(value)), 'must have eventIds, since or only'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, rule]) => ({ rule }));
}

export const deliveryDefinitions: Definitions<DeliveryCommands> = {
  list: {
    summary: 'Lists deliveries, newest event first',
    input: record(deliveryFilter),
    right: 'deliveries:read',
    claims: onFilter,
    run: listDeliveries,
  },
  listAttempts: {
    summary: 'Lists attempts, newest first, without successful first attempts',
    input: record({ keyId: id('key'), ...range, ...page }),
    right: 'deliveries:read',
    claims: onKey,
    run: ({ read }, filter) => listAttempts(read, filter),
  },
  find: {
    summary: 'Shows one delivery with its event and attempts',
    input: record({ keyId: optionalId('key'), eventId: id('event') }),
    right: 'deliveries:read',
    claims: ({ keyId, eventId }) => (keyId === undefined ? [{ on: 'event', id: eventId }] : onKey({ keyId })),
    run: ({ read }, asked) => findDelivery(read, asked),
  },
  count: {
    summary: 'Counts the backlog, per endpoint and in total',
    input: filter({ keyId: optionalId('key') }),
    right: 'deliveries:read',
    claims: onKey,
    run: (context, { keyId }) => countDeliveries(context, keyId ?? null),
  },
  resend: {
    summary: 'Resends events now: by their ids, of a time, or what is undelivered',
    input: record(
      {
        keyId: optionalId('key', 'Events of this key'),
        partnerId: optionalId('partner', 'Events of all keys of this partner'),
        eventIds: optional(
          listField(id('event'), {
            max: LIST_LIMIT.max,
            rule: `must be a list of at most ${LIST_LIMIT.max} ids`,
          }),
        ),
        ...range,
        only: optional(
          oneOf(['undelivered']),
          'Only dead letters, and what waits for its next attempt; default: also delivered events',
        ),
        dryRun,
      },
      brokenResendRules,
    ),
    pastTense: 'resent events',
    right: 'deliveries:resend',
    claims: onFilter,
    run: resend,
  },
  cancel: {
    summary: 'Cancels a pending delivery or a dead letter; its partner cannot resend it',
    input: record(target),
    pastTense: 'cancelled the delivery',
    right: 'deliveries:cancel',
    claims: onKey,
    run: inTransaction(cancelDelivery),
  },
};
