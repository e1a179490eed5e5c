import { type Application, STAGE_LABELS, type StageLabel } from '../../domain/application.js';
import type { BacklogCounts } from '../../domain/backlog.js';
import { type AttemptOutcome, type AttemptRecord, isSuccess } from '../../domain/delivery.js';
import type { EndpointFailure } from '../../domain/endpoint.js';
import type { EventType } from '../../domain/event.js';
import type { ApplicationId, JobId, KeyId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import type { RequestRecord, RequestRoute } from '../../domain/request-log.js';
import { type EndpointFailureKind, failureKind } from '../../domain/self-service.js';
import type { Instant } from '../../domain/time.js';
import type { OwnDelivery, OwnEndpoint } from '../../ports/self-service.js';
import type { ListedAccess } from '../access.js';
import type { DeliveryDetails } from '../deliveries/find-delivery.js';
import type { FoundEndpoint } from '../endpoints.js';
import type { SecretView } from '../key-secrets.js';
import type { KeyView } from '../keys.js';
import type { RequestRefusal } from '../requests/request-rules.js';
import { ownHintsOf, ownRefusalOf } from './own-refusals.js';

/** A key, as its partner may see it. */
export interface OwnKey {
  readonly id: KeyId;
  readonly environment: Environment;
  readonly createdAt: Instant;
  /** The newest one first. Empty without the right `keys`. */
  readonly secrets: readonly SecretView[];
}

/** A company whose jobs a key sees. */
export interface OwnCompany extends Pick<ListedAccess, 'companyId' | 'companyName' | 'grantedAt'> {
  /** Until when the key may submit more to it in a minute. Null if it may not. */
  readonly bootstrapUntil: Instant | null;
}

/** The events that an endpoint has not received. */
export type OwnBacklog = Pick<BacklogCounts, 'due' | 'scheduled' | 'paused' | 'dead' | 'isExact'>;

/** Why an attempt failed. No address, and nothing of the answer. */
export interface OwnFailure {
  readonly kind: EndpointFailureKind;
  /** Null without an answer. */
  readonly status: number | null;
}

/** An endpoint, as its partner may see it. */
export interface OwnEndpointView extends Pick<OwnEndpoint, 'keyId' | 'url' | 'state' | 'createdAt'> {
  readonly failingSince: Instant | null;
  readonly consecutiveFailures: number;
  readonly lastSuccessAt: Instant | null;
  readonly lastFailure: OwnFailure | null;
  /** Changes with each rotation. It does not reveal the secret. */
  readonly signingSecretId: string;
}

/** A delivery, as its partner may see it. */
export interface OwnDeliveryView extends Pick<OwnDelivery, 'eventId' | 'keyId' | 'state' | 'attempts'> {
  readonly type: EventType;
  readonly occurredAt: Instant;
  readonly nextAttemptAt: Instant | null;
  readonly deliveredAt: Instant | null;
  readonly lastFailure: OwnFailure | null;
}

/** An attempt, as its partner may see it. */
export interface OwnAttempt {
  readonly number: number;
  readonly endedAt: Instant;
  readonly latencyMs: number;
  /** The status of the answer. Null without one. */
  readonly status: number | null;
  /** Null for a success. */
  readonly failure: OwnFailure | null;
}

/** A delivery with the event that the partner gets, and its last ten attempts, oldest first. */
export interface OwnDeliveryDetails extends OwnDeliveryView {
  /** The event, as it is sent: a JSON text. */
  readonly body: string;
  readonly attemptList: readonly OwnAttempt[];
}

/** A request, as its partner may see it. */
export interface OwnRequest
  extends Pick<RequestRecord, 'requestId' | 'at' | 'method' | 'status' | 'code' | 'fields' | 'durationMs'> {
  readonly keyId: KeyId;
  readonly route: RequestRoute | null;
  readonly applicationId: ApplicationId | null;
  readonly jobId: JobId | null;
  readonly isReplay: boolean;
  /** How many requests the row stands for. */
  readonly count: number;
}

/** A request with the rule that refused it, in words for the partner. */
export interface OwnRequestDetails extends OwnRequest {
  /** Null if the request succeeded. */
  readonly refusal: RequestRefusal | null;
  /** How to correct each invalid field. */
  readonly hints: readonly string[];
  /** The last `job.closed` of the job, if the request got `JOB_CLOSED` and the event is one of the key's last 20. */
  readonly closing: OwnClosing | null;
}

/** The event that tells a key that a job has closed. */
export interface OwnClosing extends Pick<OwnDelivery, 'eventId' | 'state'> {
  readonly closedAt: Instant;
}

/** An application, as `GET /applications` shows it. */
export interface OwnApplication
  extends Pick<
    Application,
    'id' | 'keyId' | 'jobId' | 'sourceApplicationId' | 'status' | 'submittedAt' | 'lastStatusChangeAt'
  > {
  readonly currentStage: StageLabel;
}

// Each function names its fields, so that a field that a later release adds to the host's rows does not get out.

export function ownKey({ key, secrets }: KeyView, showsSecrets: boolean): OwnKey {
  const { id, environment, createdAt } = key;
  return { id, environment, createdAt, secrets: showsSecrets ? secrets : [] };
}

export function ownCompany({ companyId, companyName, grantedAt, bootstrapUntil }: ListedAccess): OwnCompany {
  return { companyId, companyName, grantedAt, bootstrapUntil };
}

export function ownBacklog({ due, scheduled, paused, dead, isExact }: BacklogCounts): OwnBacklog {
  return { due, scheduled, paused, dead, isExact };
}

export function ownEndpoint({
  keyId,
  url,
  state,
  health,
  createdAt,
  signingSecretId,
}: FoundEndpoint): OwnEndpointView {
  return {
    signingSecretId,
    keyId,
    url,
    state,
    createdAt,
    failingSince: health.firstFailureAt,
    consecutiveFailures: health.consecutiveFailures,
    lastSuccessAt: health.lastSuccessAt,
    lastFailure: health.lastFailure === null ? null : ownFailure(health.lastFailure),
  };
}

export function ownDelivery(delivery: OwnDelivery): OwnDeliveryView {
  const { eventId, keyId, type, eventAt, state, attempts, dueAt, lastOutcome, evidence } = delivery;
  return {
    eventId,
    keyId,
    type,
    state,
    attempts,
    occurredAt: eventAt,
    nextAttemptAt: dueAt,
    deliveredAt: evidence?.deliveredAt ?? null,
    lastFailure: failureOf(lastOutcome),
  };
}

export function ownDeliveryDetails({
  delivery,
  event,
  attempts,
  evidence,
}: DeliveryDetails): OwnDeliveryDetails {
  const listed = ownDelivery({ ...delivery, type: event.type, evidence });
  return { ...listed, body: event.body, attemptList: attempts.map(ownAttempt) };
}

function ownAttempt({ number, endedAt, latencyMs, outcome }: AttemptRecord): OwnAttempt {
  const status = outcome.kind === 'answered' ? outcome.status : null;
  return { number, endedAt, latencyMs, status, failure: failureOf(outcome) };
}

export function ownRequest(keyId: KeyId, request: RequestRecord): OwnRequest {
  const { requestId, at, method, route, status, code, fields, durationMs } = request;
  const { applicationId, jobId, isReplay, count } = request;
  const said = { requestId, at, method, route, status, code, fields, durationMs };
  return { ...said, keyId, applicationId, jobId, isReplay, count };
}

export function ownRequestDetails(
  keyId: KeyId,
  request: RequestRecord,
  closing: OwnClosing | null,
): OwnRequestDetails {
  const [refusal, hints] = [ownRefusalOf(request.code), ownHintsOf(request.fields)];
  return { ...ownRequest(keyId, request), refusal, hints, closing };
}

export function ownApplication(application: Application): OwnApplication {
  const { id, keyId, jobId, sourceApplicationId, status, stage, submittedAt, lastStatusChangeAt } =
    application;
  const currentStage = STAGE_LABELS[stage];
  return { id, keyId, jobId, sourceApplicationId, status, currentStage, submittedAt, lastStatusChangeAt };
}

function failureOf(outcome: AttemptOutcome | null): OwnFailure | null {
  return outcome === null || isSuccess(outcome) ? null : ownFailure(outcome);
}

function ownFailure(failure: EndpointFailure | AttemptOutcome): OwnFailure {
  if (failure.kind === 'answered') return { kind: 'status', status: failure.status };
  return { kind: failureKind({ ...failure, message: '' }), status: null };
}
