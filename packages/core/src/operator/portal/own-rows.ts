import { type Application, STAGE_LABELS, type StageLabel } from '../../domain/application.js';
import type { DeliveryTotals } from '../../domain/backlog.js';
import {
  type AttemptOutcome,
  type AttemptRecord,
  type Delivery,
  isSuccess,
  lastAttempt,
} from '../../domain/delivery.js';
import { type Endpoint, signingSecrets } from '../../domain/endpoint.js';
import type { EventType } from '../../domain/event.js';
import { type OwnGap, ownGap } from '../../domain/gap-words.js';
import type { ApplicationId, JobId, KeyId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import type { RequestRecord, RequestRoute } from '../../domain/request-log.js';
import { type OwnFailure, ownFailure } from '../../domain/self-service.js';
import type { Instant } from '../../domain/time.js';
import type { RequestRefusal } from '../../domain/wire-errors.js';
import type { OwnDelivery, OwnEndpoint } from '../../ports/self-service.js';
import type { ListedAccess } from '../access.js';
import { signingSecretIdOf } from '../change-endpoint.js';
import type { DeliveryDetails } from '../deliveries/find-delivery.js';
import type { SecretView } from '../key-secrets.js';
import type { KeyView } from '../keys.js';
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
export interface OwnBacklog
  extends Pick<DeliveryTotals, 'due' | 'scheduled' | 'paused' | 'dead' | 'isExact'> {
  /** How many events failed and wait for their next attempt, whether or not the endpoint is paused. */
  readonly retries: number;
}

/** A failure, and when it was. */
export interface OwnFailedAttempt extends OwnFailure {
  readonly at: Instant;
}

/** A signing secret, without its value. */
export interface OwnSigningSecret {
  readonly createdAt: Instant;
  /** Null for the current secret. */
  readonly signsUntil: Instant | null;
}

/** An endpoint, as its partner may see it. */
export interface OwnEndpointView
  extends Pick<OwnEndpoint, 'keyId' | 'url' | 'state' | 'createdAt' | 'resumedAt'> {
  readonly failingSince: Instant | null;
  readonly consecutiveFailures: number;
  readonly lastSuccessAt: Instant | null;
  /** Null if the endpoint is not failing. */
  readonly lastFailure: OwnFailure | null;
  /** When the last failure was. Null if the endpoint is not failing, or if its attempt is no longer stored. */
  readonly lastFailureAt: Instant | null;
  /** The wait between two attempts. Null if the endpoint is sent to at full speed, or paused. */
  readonly gap: OwnGap | null;
  /** Changes with each rotation. It does not reveal the secret. */
  readonly signingSecretId: string;
  /** The secrets that sign now, the current one first. */
  readonly signingSecrets: readonly OwnSigningSecret[];
}

/** A delivery, as its partner may see it. */
export interface OwnDeliveryView
  extends Pick<OwnDelivery, 'eventId' | 'keyId' | 'state' | 'attempts' | 'cycle'> {
  readonly type: EventType;
  readonly occurredAt: Instant;
  readonly nextAttemptAt: Instant | null;
  /** The last success. An event that is resent keeps it. */
  readonly deliveredAt: Instant | null;
  /** The last failure, even if a later attempt succeeded. Null if it is no longer stored. */
  readonly lastFailure: OwnFailedAttempt | null;
}

/** An attempt, as its partner may see it. */
export interface OwnAttempt {
  /** From 1 to 10. */
  readonly number: number;
  /** 1, plus the number of times that the event was resent before. */
  readonly cycle: number;
  readonly endedAt: Instant;
  readonly latencyMs: number;
  /** The status of the answer. Null without one. */
  readonly status: number | null;
  /** Null for a success. */
  readonly failure: OwnFailure | null;
}

/** A delivery with the event that the partner gets, and its attempts that are stored, oldest first. */
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

export function ownBacklog(
  { due, scheduled, paused, dead, isExact }: DeliveryTotals,
  retries: number,
): OwnBacklog {
  return { due, scheduled, paused, dead, isExact, retries };
}

export function ownEndpoint(
  endpoint: Endpoint,
  now: Instant,
  lastAttempts: readonly AttemptRecord[],
): OwnEndpointView {
  const { keyId, url, state, health, createdAt, resumedAt } = endpoint;
  const { firstFailureAt, consecutiveFailures, lastSuccessAt, lastFailure } = health;
  const failed = lastFailure === null ? null : lastFailureOf(lastAttempts);
  return {
    signingSecretId: signingSecretIdOf(endpoint),
    signingSecrets: signingSecrets(endpoint, now).map((secret) => ({
      createdAt: secret.createdAt,
      signsUntil: secret.expiresAt,
    })),
    keyId,
    url,
    state,
    createdAt,
    resumedAt,
    failingSince: firstFailureAt,
    consecutiveFailures,
    lastSuccessAt,
    lastFailure: lastFailure === null ? null : ownFailure(lastFailure),
    lastFailureAt: failed?.at ?? null,
    gap: health.gap === null ? null : ownGap(health.gap),
  };
}

/** @param attempts - those that are stored. */
export function ownDelivery(delivery: OwnDelivery, attempts: readonly AttemptRecord[] = []): OwnDeliveryView {
  const { eventId, keyId, type, eventAt, state, cycle, dueAt, evidence } = delivery;
  const last = lastAttempt(delivery);
  return {
    eventId,
    keyId,
    type,
    state,
    cycle,
    attempts: delivery.attempts,
    occurredAt: eventAt,
    nextAttemptAt: dueAt,
    deliveredAt: evidence?.deliveredAt ?? null,
    lastFailure: lastFailureOf(last === null ? attempts : [...attempts, last]),
  };
}

/** Returns whether an attempt before the last one may have failed. */
export function mayHaveFailed({ state, attempts, cycle }: Delivery): boolean {
  return cycle > 1 || (state === 'delivered' && attempts > 1);
}

export function ownDeliveryDetails({
  delivery,
  event,
  attempts,
  evidence,
  successes,
}: DeliveryDetails): OwnDeliveryDetails {
  const listed = ownDelivery({ ...delivery, type: event.type, evidence }, attempts);
  return { ...listed, body: event.body, attemptList: allAttempts(attempts, successes) };
}

/** The stored attempts, and the successes of which only evidence is stored. */
function allAttempts(
  attempts: readonly AttemptRecord[],
  successes: DeliveryDetails['successes'],
): readonly OwnAttempt[] {
  const own = attempts.map(ownAttempt);
  const known = new Set(own.map(({ cycle, number }) => `${cycle}.${number}`));
  const others = successes
    .filter(({ cycle, attempts: number }) => !known.has(`${cycle}.${number}`))
    .map(({ cycle, attempts: number, deliveredAt, latencyMs, status }) => {
      return { cycle, number, endedAt: deliveredAt, latencyMs, status, failure: null };
    });
  return [...own, ...others].toSorted((one, other) => one.cycle - other.cycle || one.number - other.number);
}

function ownAttempt({ number, cycle, endedAt, latencyMs, outcome }: AttemptRecord): OwnAttempt {
  const status = outcome.kind === 'answered' ? outcome.status : null;
  return { number, cycle, endedAt, latencyMs, status, failure: failureOf(outcome) };
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
  const refusal = ownRefusalOf(request.code);
  const hints = ownHintsOf(request.fields);
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

function lastFailureOf(attempts: readonly AttemptRecord[]): OwnFailedAttempt | null {
  const [last = null] = attempts
    .filter(({ outcome }) => !isSuccess(outcome))
    .toSorted((one, other) => other.endedAt - one.endedAt);
  return last === null ? null : { ...ownFailure(last.outcome), at: last.endedAt };
}
