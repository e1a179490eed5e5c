import type {
  AttemptOutcome,
  DeliveryState,
  EndpointFailure,
  EndpointHealth,
  EventId,
  EventSuccess,
  EventType,
  Gap,
  Instant,
  KeyId,
  PauseReason,
  ReplacedUrl,
  SealedSigningSecret,
  StoredDelivery,
  StoredEndpoint,
} from '@partner-hiring/core/ports';
import {
  choiceColumn,
  flagColumn,
  idColumn,
  instantColumn,
  integerColumn,
  json,
  LEASE,
  type Row,
  type RowOf,
  table,
  textColumn,
} from '../table.js';
import { rowsOf } from '../table-rows.js';

/** `body` is the exact text that every attempt sends. */
export const EVENTS = table('ph_event', rowsOf('feed', ['key_id', 'at']), {
  key_id: idColumn<KeyId>(),
  at: instantColumn(),
  id: idColumn<EventId>(),
  type: choiceColumn<EventType>(),
  body: textColumn(),
});

type EndpointPart<Field extends keyof StoredEndpoint> = Pick<StoredEndpoint, Field>;

const ENDPOINT = {
  key_id: idColumn<KeyId>(),
  url: textColumn(),
  state: choiceColumn<StoredEndpoint['state']['kind']>().derived(
    ({ state }: EndpointPart<'state'>) => state.kind,
  ),
  paused_reason: choiceColumn<PauseReason>()
    .orNull()
    .derived(({ state }: EndpointPart<'state'>) => (state.kind === 'paused' ? state.reason : null)),
  paused_at: instantColumn()
    .orNull()
    .derived(({ state }: EndpointPart<'state'>) => (state.kind === 'paused' ? state.pausedAt : null)),
  consecutive_failures: integerColumn().at('health.consecutiveFailures'),
  first_failure_at: instantColumn().orNull().at('health.firstFailureAt'),
  last_success_at: instantColumn().orNull().at('health.lastSuccessAt'),
  /** Why the last attempt failed. */
  last_failure: json<EndpointFailure>().orNull().at('health.lastFailure'),
  failing_warned_at: instantColumn().orNull().at('health.failingWarnedAt'),
  pause_warned_at: instantColumn().orNull().at('health.pauseWarnedAt'),
  /** When the passing of time leads to the next warning. */
  warn_at: instantColumn().orNull().at('health.nextWarningAt'),
  dead_letters_told_at: instantColumn().orNull().at('health.deadLettersToldAt'),
  reported_at: instantColumn().orNull().at('health.reportedAt'),
  gap: json<Gap>().orNull().at('health.gap'),
  /** When the gap ends. No worker leases the endpoint before. */
  sends_from: instantColumn().derived(({ health }: EndpointPart<'health'>) => health.gap?.until ?? 0),
  resumed_at: instantColumn().orNull(),
  /** The URL that the partner's own changes replaced. */
  replaced_url: json<ReplacedUrl>().orNull(),
  secrets: json<readonly SealedSigningSecret[]>(),
  created_at: instantColumn(),
  /** The last stamp of the feed before the key had an endpoint. */
  log_start: instantColumn().hidden(),
  watermark: instantColumn().hidden(),
  leased_at: instantColumn().hidden(),
  ...LEASE,
};

/** Webhook endpoints. `leased_at` is 0 if the endpoint was never leased. */
export const ENDPOINTS = table('ph_endpoint', rowsOf('key', ['key_id'], { without: 'secrets' }), ENDPOINT, {
  state: toState,
  health: toHealth,
});

function toState(row: RowOf<typeof ENDPOINT>): StoredEndpoint['state'] {
  if (row.state === 'active') return { kind: 'active' };
  // A check constraint ensures that a paused endpoint has a reason and a time.
  return { kind: 'paused', reason: row.paused_reason as PauseReason, pausedAt: row.paused_at as number };
}

/**
 * Ignores warnings that are older than the first failure. During a rolling deploy, an older release does not clear the
 * warnings of earlier failures.
 */
function toHealth(row: RowOf<typeof ENDPOINT>): EndpointHealth {
  const { first_failure_at: firstFailureAt } = row;
  const ofThese = (at: number | null) =>
    firstFailureAt !== null && at !== null && at >= firstFailureAt ? at : null;
  return {
    consecutiveFailures: row.consecutive_failures,
    firstFailureAt,
    lastSuccessAt: row.last_success_at,
    lastFailure:
      firstFailureAt === null || row.last_failure === null
        ? null
        : (JSON.parse(row.last_failure) as EndpointFailure),
    failingWarnedAt: ofThese(row.failing_warned_at),
    pauseWarnedAt: ofThese(row.pause_warned_at),
    nextWarningAt: firstFailureAt === null ? null : row.warn_at,
    deadLettersToldAt: row.dead_letters_told_at,
    reportedAt: row.reported_at,
    gap: row.gap === null ? null : (JSON.parse(row.gap) as Gap),
  };
}

/** Deliveries that did not succeed at the first attempt. */
export const DELIVERIES = table(
  'ph_delivery',
  rowsOf('feed', ['key_id', 'event_id']),
  {
    key_id: idColumn<KeyId>(),
    event_id: idColumn<EventId>(),
    event_at: instantColumn(),
    state: choiceColumn<DeliveryState>(),
    attempts: integerColumn(),
    cycle: integerColumn(),
    due_at: instantColumn().orNull(),
    /** When the delivery was last resent. Null if it never was, so that it is pending since its event. */
    pending_since: instantColumn()
      .orNull()
      .derived(({ pendingSince, eventAt }: Pick<StoredDelivery, 'pendingSince' | 'eventAt'>) =>
        pendingSince === eventAt ? null : pendingSince,
      ),
    last_attempt_at: instantColumn().orNull(),
    last_outcome: json<AttemptOutcome>().orNull(),
    last_latency_ms: integerColumn().orNull(),
  },
  { pendingSince: (row) => row.pending_since ?? row.event_at },
);

/** The last ten attempts of each delivery in `ph_delivery`. */
export const ATTEMPTS = table('ph_attempt', rowsOf('feed', ['key_id', 'event_id', 'number']), {
  key_id: idColumn<KeyId>(),
  event_id: idColumn<EventId>(),
  number: integerColumn(),
  cycle: integerColumn(),
  ended_at: instantColumn(),
  latency_ms: integerColumn(),
  outcome: json<AttemptOutcome>(),
});

/** Evidence of successes: one row for a batch of events. `replaced` is 1 for the success of one delivery before it was resent. */
export const DELIVERY_EVIDENCE = table(
  'ph_delivery_evidence',
  rowsOf('log', ['key_id', 'replaced', 'last_at', 'cycle'], {
    exportedAs: 'delivery_success',
    toValues: toDeliverySuccesses,
  }),
  {
    key_id: idColumn<KeyId>(),
    replaced: flagColumn(),
    /** The stamp of the last event. */
    last_at: instantColumn(),
    cycle: integerColumn(),
    /** The stamp of the first event. */
    first_at: instantColumn(),
    body: json<readonly StoredSuccess[]>(),
  },
);

/** The differences keep the body short: a row has about 20 bytes for each success. */
export type StoredSuccess = readonly [
  sinceFirst: number,
  untilEnd: number,
  status: number,
  latencyMs: number,
  attempts: number,
];

/** Returns the success of each event in the row, by the event's stamp. */
export function toSuccesses(row: Row<typeof DELIVERY_EVIDENCE>): ReadonlyMap<Instant, EventSuccess> {
  const { firstAt, cycle, body } = DELIVERY_EVIDENCE.toValue(row);
  return new Map(
    body.map(([sinceFirst, untilEnd, status, latencyMs, attempts]) => {
      const eventAt = firstAt + sinceFirst;
      return [eventAt, { eventAt, deliveredAt: eventAt + untilEnd, status, latencyMs, attempts, cycle }];
    }),
  );
}

function toDeliverySuccesses(row: object): readonly object[] {
  const { keyId, replaced } = DELIVERY_EVIDENCE.toValue(row as never);
  return [...toSuccesses(row as never).values()].map((success) => ({ keyId, ...success, replaced }));
}
