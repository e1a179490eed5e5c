import { type AttemptOutcome, isGone, isSuccess, type TransportFailure } from '../domain/delivery.js';
import type { StoredEndpoint } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import type { KeyId } from '../domain/ids.js';
import type { Attributes, LogFields, Logger, Span, Telemetry } from '../ports/telemetry.js';
import type { StorageClock } from '../storage-clock.js';
import type { AttemptObserver } from '../worker/attempt.js';
import { EXCHANGE_SECONDS, LATENCY_SECONDS } from './buckets.js';

type OutcomeName =
  | 'delivered'
  | 'gone'
  | 'redirected'
  | 'client_error'
  | 'server_error'
  /** A 1xx status, or a status that is not valid. */
  | 'unexpected_status'
  | TransportFailure;

export function observeAttempts(
  telemetry: Telemetry,
  logger: Logger,
  storageClock: Pick<StorageClock, 'now'>,
): AttemptObserver {
  const duration = telemetry.histogram({
    name: 'partner_hiring.attempt.duration',
    unit: 's',
    description: 'Attempts to deliver an event, by outcome.',
    attributes: ['partner_hiring.attempt.outcome', 'http.response.status_code'],
    buckets: EXCHANGE_SECONDS,
  });
  const latency = telemetry.histogram({
    name: 'partner_hiring.delivery.latency',
    unit: 's',
    description: 'Time from the commit of an event to its receipt, including all attempts.',
    attributes: ['partner_hiring.event.type'],
    buckets: LATENCY_SECONDS,
  });

  return {
    begin(endpoint, event) {
      const startedAt = telemetry.seconds();
      const span = telemetry.startSpan('partner_hiring.attempt', 'client', METHOD);
      return {
        run: span.run,
        broke: () => abandonSpan(span),
        end(outcome) {
          const seconds = telemetry.seconds() - startedAt;
          const name = nameOf(outcome);
          duration(seconds, attributesOf(name, outcome));
          if (name === 'delivered') {
            // The stamps of one transaction are a millisecond apart, so an event may be dated slightly in the
            // future.
            const ms = Math.max(0, storageClock.now() - event.at);
            latency(ms / 1_000, { 'partner_hiring.event.type': event.type });
          }
          endSpan(span, endpoint, event, outcome);
          logger.debug(lineOf(endpoint.keyId, event, { outcome, name, seconds }), 'A webhook attempt ended.');
        },
      };
    },
  };
}

export function observeTestDeliveries(telemetry: Telemetry): AttemptObserver {
  return {
    begin(endpoint, event) {
      const span = telemetry.startSpan('partner_hiring.test_delivery', 'client', METHOD);
      return {
        run: span.run,
        broke: () => abandonSpan(span),
        end: (outcome) => endSpan(span, endpoint, event, outcome),
      };
    },
  };
}

function abandonSpan(span: Span): void {
  span.fail('transport_broke');
  span.end();
}

function endSpan(
  span: Span,
  { keyId, url }: StoredEndpoint,
  event: PartnerEvent,
  outcome: AttemptOutcome,
): void {
  if (span.isRecorded) {
    const name = nameOf(outcome);
    span.set({ ...attributesOf(name, outcome), ...aboutEvent(keyId, event), ...serverOf(url) });
    if (name !== 'delivered') span.fail(name);
  }
  span.end();
}

const METHOD: Attributes = { 'http.request.method': 'POST' };

function aboutEvent(keyId: KeyId, { id, type }: PartnerEvent): Attributes {
  return {
    'partner_hiring.key.id': keyId,
    'partner_hiring.event.id': id,
    'partner_hiring.event.type': type,
  };
}

interface Ended {
  readonly outcome: AttemptOutcome;
  readonly name: OutcomeName;
  readonly seconds: number;
}

function lineOf(keyId: KeyId, { id, type }: PartnerEvent, { outcome, name, seconds }: Ended): LogFields {
  return {
    keyId,
    eventId: id,
    eventType: type,
    outcome: name,
    status: outcome.kind === 'answered' ? outcome.status : null,
    durationMs: Math.round(seconds * 1_000),
  };
}

function attributesOf(name: OutcomeName, outcome: AttemptOutcome): Attributes {
  if (outcome.kind === 'failed') return { 'partner_hiring.attempt.outcome': name };
  return { 'partner_hiring.attempt.outcome': name, 'http.response.status_code': outcome.status };
}

function nameOf(outcome: AttemptOutcome): OutcomeName {
  if (outcome.kind === 'failed') return outcome.failure;
  if (isSuccess(outcome)) return 'delivered';
  if (isGone(outcome)) return 'gone';
  return STATUS_CLASSES[Math.floor(outcome.status / 100)] ?? 'unexpected_status';
}

const STATUS_CLASSES: Readonly<Record<number, OutcomeName>> = {
  3: 'redirected',
  4: 'client_error',
  5: 'server_error',
};

/** Only the host name is recorded: the path, query and user of the URL may be secret. */
function serverOf(url: string): Attributes {
  if (!URL.canParse(url)) return {};
  return { 'server.address': new URL(url).hostname };
}
