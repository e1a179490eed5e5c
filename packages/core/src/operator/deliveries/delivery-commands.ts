import type { AttemptRecord } from '../../domain/delivery.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import { type Claims, onApplication, onHost, onKey, onPartner } from '../command/claims.js';
import { type Definitions, inTransaction } from '../command/definition.js';
import {
  dryRun,
  id,
  instant,
  LIST_LIMIT,
  listField,
  optional,
  optionalId,
  page,
  range,
  since,
} from '../command/fields.js';
import { filter, record } from '../command/input.js';
import type { Page } from '../page-cursor.js';
import {
  cancelOne,
  type DeliveryOutcome,
  type DryRun,
  type EventWindow,
  type RedeliveredOne,
  type RedeliveryOutcome,
  redeliverAll,
  redeliverMany,
  redeliverOne,
  redeliverSince,
} from './change-delivery.js';
import { type DeliveryFilter, deliveryFilter, type PageFilter } from './delivery-filter.js';
import {
  countDeliveries,
  type DeliveryCounts,
  type DeliveryDetails,
  type DeliveryLookup,
  type DeliveryTarget,
  findDelivery,
} from './find-delivery.js';
import { type ListedDelivery, listAttempts, listDeliveries } from './list-deliveries.js';
import type { BulkSending } from './send-many.js';
import { type PartnerSending, type PartnerSendingInput, redeliverPartner } from './send-to-partner.js';

/** Manages deliveries of events. `find` and `list` show the time of each success, even at the first attempt. */
export interface DeliveryCommands {
  /**
   * Returns a page of deliveries, newest event first, 100 by default. `DeliveryFilter` says which filters are required
   * and which can be combined. Without `keyId`, `partnerId` and `applicationId`, the state `delivered` omits events
   * that succeeded at the first attempt. With `type`, `onlyFailing` or the state `delivered`, a page may be short or
   * empty: continue until `nextCursor` is null.
   * @example
   * const first = await operator.deliveries.list({ keyId, state: 'dead' });
   * if (first.nextCursor !== null) {
   *   const second = await operator.deliveries.list({ keyId, state: 'dead', cursor: first.nextCursor });
   * }
   * const failing = await operator.deliveries.list({ partnerId, onlyFailing: true, type: 'application.status_changed' });
   */
  list(filter: DeliveryFilter): Promise<Page<ListedDelivery>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { eventId } of operator.deliveries.each({ keyId, state: 'dead' })) console.log(eventId);
   */
  each(filter: DeliveryFilter): AsyncIterable<ListedDelivery>;
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
   * if (found?.evidence) {
   *   const { deliveredAt, status, latencyMs } = found.evidence;
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
   * Sends an event again now (resend, replay), with the same id. If the delivery waits for its next attempt, that
   * attempt is due now and the earlier ones still count. If the delivery is not pending, it gets ten new attempts.
   * @throws OperatorError `KEY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`; `DELIVERY_NOT_FOUND`.
   * @example
   * const { changed } = await operator.deliveries.redeliver({ keyId, eventId });
   */
  redeliver(target: DeliveryTarget & DryRun): Promise<RedeliveredOne>;
  /**
   * Sends up to 1000 events now, as `redeliver` does.
   * @throws OperatorError `KEY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`.
   * @example
   * const { count, missing } = await operator.deliveries.redeliverMany({ keyId, eventIds: [eventId] });
   */
  redeliverMany(
    target: DryRun & { readonly keyId: KeyId; readonly eventIds: readonly EventId[] },
  ): Promise<RedeliveryOutcome>;
  /**
   * Sends again (replay) every event of a key that was recorded from `since` on and before `until`, even delivered
   * ones. Commits after each 1000 events. After 10,000 events, the command returns, and the worker sends the rest as an
   * operation. After an error, call it again.
   * @throws OperatorError `KEY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`.
   * @example
   * const since = Date.parse('2026-01-31T09:00Z');
   * const { count } = await operator.deliveries.redeliverSince({ keyId, since, dryRun: true });
   */
  redeliverSince(window: EventWindow & DryRun): Promise<BulkSending>;
  /**
   * Sends all dead letters of a key again. Deliveries that wait for their next attempt become due now. Commits after
   * each 1000 deliveries. After 10,000, the command returns, and the worker sends the rest as an operation.
   * @throws OperatorError `KEY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`.
   * @example
   * const { redelivered, broughtForward } = await operator.deliveries.redeliverAll({ keyId });
   */
  redeliverAll(target: DryRun & { readonly keyId: KeyId }): Promise<BulkSending>;
  /**
   * Sends dead letters and retries of all keys of a partner now, or with `since` every event of a time, even delivered ones.
   * The worker runs this as one operation, one key at a time. Keys without an endpoint are left out.
   * @throws OperatorError `PARTNER_NOT_FOUND`; `ENDPOINT_NOT_FOUND` if no key has an endpoint.
   * @example
   * const { count, keys } = await operator.deliveries.redeliverPartner({ partnerId, dryRun: true });
   * const { operation } = await operator.deliveries.redeliverPartner({ partnerId });
   */
  redeliverPartner(input: PartnerSendingInput): Promise<PartnerSending>;
  /**
   * Cancels a pending delivery or a dead letter; `changed` is false if it was cancelled before. Its partner cannot send
   * it again, but you can. An attempt in progress still completes and may deliver the event. To prevent further
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

export const deliveryDefinitions: Definitions<DeliveryCommands> = {
  list: {
    summary: 'Lists deliveries, newest event first',
    input: record(deliveryFilter),
    right: 'deliveries:read',
    claims: onFilter,
    run: ({ read }, filter) => listDeliveries(read, filter),
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
  redeliver: {
    summary: 'Sends an event now',
    input: record({ ...target, dryRun }),
    act: 'sent the event again',
    right: 'deliveries:redeliver',
    claims: onKey,
    run: inTransaction(redeliverOne),
  },
  redeliverMany: {
    summary: 'Sends events of a key now',
    input: record({
      keyId: id('key'),
      eventIds: listField(id('event'), {
        max: LIST_LIMIT.max,
        rule: `must be a list of at most ${LIST_LIMIT.max} ids`,
      }),
      dryRun,
    }),
    act: 'sent events again',
    right: 'deliveries:redeliver',
    claims: onKey,
    run: inTransaction(redeliverMany),
  },
  redeliverSince: {
    summary: 'Sends all events of a time range again, even delivered ones',
    input: record({ keyId: id('key'), since, until: range.until, dryRun }),
    act: 'replayed the events of a time',
    right: 'deliveries:redeliver',
    claims: onKey,
    run: redeliverSince,
  },
  redeliverAll: {
    summary: 'Sends every dead letter and retry of a key now',
    input: record({ keyId: id('key'), dryRun }),
    act: 'sent the dead letters and retries of a key now',
    right: 'deliveries:redeliver',
    claims: onKey,
    run: redeliverAll,
  },
  redeliverPartner: {
    summary: 'Sends dead letters and retries of all keys of a partner now, or all events of a time',
    input: record(
      {
        partnerId: id('partner'),
        since: optional(instant, 'Also delivered events, from this time on'),
        until: optional(instant, 'Only events before this time'),
        dryRun,
      },
      ({ since, until }) =>
        until !== undefined && since === undefined ? [{ rule: 'must have since if it has until' }] : [],
    ),
    act: 'sent the events of a partner again',
    right: 'deliveries:redeliver',
    claims: onPartner,
    run: redeliverPartner,
  },
  cancel: {
    summary: 'Cancels a pending delivery or a dead letter; its partner cannot send it again',
    input: record(target),
    act: 'cancelled the delivery',
    right: 'deliveries:cancel',
    claims: onKey,
    run: inTransaction(cancelOne),
  },
};

/**
 * A filter may name a key or a partner, and also an application. Each named object must belong to the actor's partners.
 */
function onFilter({ keyId, partnerId, applicationId }: DeliveryFilter): Claims {
  const [first, ...others] = [
    ...(keyId === undefined ? [] : onKey({ keyId })),
    ...(partnerId === undefined ? [] : onPartner({ partnerId })),
    ...(applicationId === undefined ? [] : onApplication({ id: applicationId })),
  ];
  return first === undefined ? onHost() : [first, ...others];
}
