import type { RequestRoute } from '../../domain/answered-request.js';
import { type Application, STAGE_LABELS, type StageLabel } from '../../domain/application.js';
import type { DeliveryTotals } from '../../domain/backlog.js';
import {
  type AttemptOutcome,
  type AttemptRecord,
  isSuccess,
  lastAttempt,
  type StoredDelivery,
} from '../../domain/delivery.js';
import type { SealedSigningSecret, StoredEndpoint } from '../../domain/endpoint.js';
import { type OwnFailure, ownFailure } from '../../domain/endpoint-failure.js';
import { signingSecrets } from '../../domain/endpoint-secrets.js';
import { type ShownGap, shownGap } from '../../domain/gap-words.js';
import type { ApplicationId, JobId, KeyId } from '../../domain/ids.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import type { LoweredLimits } from '../../domain/rate-limit.js';
import type { Instant } from '../../domain/time.js';
import type { RequestRefusal } from '../../domain/wire-errors.js';
import type { DeliveryDetails } from '../../groups/deliveries/find-delivery.js';
import type { Delivery } from '../../groups/deliveries/read-deliveries.js';
import { signingSecretIdOf } from '../../groups/deliveries/view-endpoint.js';
import type { ListedAccess } from '../../groups/partners/access-commands.js';
import type { KeyView } from '../../groups/partners/key-commands.js';
import type { SecretView } from '../../groups/partners/key-secrets.js';
import type { KeyNames } from '../../operator/names.js';
import type { RequestRecord } from '../request-log/rules.js';
import { ownDelivery, ownEndpoint } from '../self-service/own-shapes.js';
import type { OwnDelivery, OwnEndpoint } from '../self-service/service.js';
import { ownHintsOf, ownRefusalOf } from './own-refusals.js';
import type { RouteLimit } from './route-limits.js';

/** A key, as its partner may see it. */
export interface OwnKey extends Pick<PartnerKey, 'id' | 'environment' | 'createdAt'> {
  /** The newest one first. Empty without the right `keys`. */
  readonly secrets: readonly SecretView[];
  /** What each route of the partner API allows the key now. */
  readonly limits: readonly RouteLimit[];
  /** Until when some of the limits are lower than usual, and why. Null if none is. */
  readonly loweredLimits: Pick<LoweredLimits, 'until' | 'reason'> | null;
}

/** A company whose jobs a key sees. */
export interface SeenCompany extends Pick<ListedAccess, 'companyId' | 'companyName' | 'grantedAt'> {
  /** Until when the key may submit more to it in a minute. Null if it may not. */
  readonly bootstrapUntil: Instant | null;
}

/** The events that an endpoint has not received. */
export interface PortalBacklog
  extends Pick<DeliveryTotals, 'due' | 'scheduled' | 'paused' | 'dead' | 'isExact'> {
  /** How many events failed and wait for their next attempt, whether or not the endpoint is paused. */
  readonly retries: number;
}

/** What the portal shows of an endpoint, beside what the partner API does. */
export interface PortalEndpoint extends OwnEndpoint {
  readonly keyId: KeyId;
  readonly resumedAt: Instant | null;
  /** When the last failure was. Null if the endpoint is not failing, or if its attempt is no longer stored. */
  readonly lastFailureAt: Instant | null;
  /** The wait between two attempts. Null if the endpoint is sent to at full speed, or paused. */
  readonly gap: ShownGap | null;
  /** Changes with each rotation. It does not reveal the secret. */
  readonly signingSecretId: string;
  /** The secrets that sign now, the current one first. */
  readonly signingSecrets: readonly Pick<SealedSigningSecret, 'createdAt' | 'expiresAt'>[];
}

/** What the portal shows of a delivery, beside what the partner API does. */
export interface PortalDelivery extends OwnDelivery {
  readonly keyId: KeyId;
  /** 1, plus the number of times that the event was resent. */
  readonly cycle: number;
  /** The last failure, even if a later attempt succeeded. Null if it is no longer stored. */
  readonly lastFailed: { readonly failure: OwnFailure; readonly at: Instant } | null;
}

/** An attempt, as its partner may see it. */
export interface PortalAttempt extends Pick<AttemptRecord, 'number' | 'cycle' | 'endedAt' | 'latencyMs'> {
  /** The status of the answer. Null without one. */
  readonly status: number | null;
  /** Null for a success. */
  readonly failure: OwnFailure | null;
}

/** A delivery with the event that the partner gets, and its attempts that are stored, oldest first. */
export interface PortalDeliveryDetails extends PortalDelivery {
  /** The event, as it is sent: a JSON text. */
  readonly body: string;
  readonly attemptList: readonly PortalAttempt[];
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
export interface PortalRequest extends OwnRequest {
  /** Null if the request succeeded. */
  readonly refusal: RequestRefusal | null;
  /** How to correct each invalid field. */
  readonly hints: readonly string[];
  /** The last `job.closed` of the job, if the request got `JOB_CLOSED` and the event is one of the key's last 20. */
  readonly closing: JobClosing | null;
}

/** The event that tells a key that a job has closed. */
export interface JobClosing extends Pick<OwnDelivery, 'eventId' | 'state'> {
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

export function ownKey(view: KeyView, limits: readonly RouteLimit[], showsSecrets: boolean): OwnKey {
  const { id, environment, createdAt, loweredLimits: lowered } = view.key;
  const secrets = showsSecrets ? view.secrets : [];
  const isLower = lowered !== null && limits.some(({ usual }) => usual !== null);
  const loweredLimits = isLower ? { until: lowered.until, reason: lowered.reason } : null;
  return { id, environment, createdAt, secrets, limits, loweredLimits };
}

export function seenCompany(access: ListedAccess): SeenCompany {
  const { companyId, companyName, grantedAt, bootstrapUntil } = access;
  return { companyId, companyName, grantedAt, bootstrapUntil };
}

export function portalBacklog(
  { due, scheduled, paused, dead, isExact }: DeliveryTotals,
  retries: number,
): PortalBacklog {
  return { due, scheduled, paused, dead, isExact, retries };
}

export function portalEndpoint(
  endpoint: StoredEndpoint,
  now: Instant,
  lastAttempts: readonly AttemptRecord[],
): PortalEndpoint {
  const { keyId, resumedAt, health } = endpoint;
  const own = ownEndpoint(endpoint);
  return {
    ...own,
    keyId,
    resumedAt,
    lastFailureAt: own.lastFailure && (lastFailedOf(lastAttempts)?.at ?? null),
    gap: health.gap && shownGap(health.gap),
    signingSecretId: signingSecretIdOf(endpoint),
    signingSecrets: signingSecrets(endpoint, now).map(({ createdAt, expiresAt }) => ({
      createdAt,
      expiresAt,
    })),
  };
}

/** @param attempts - those that are stored. */
export function portalDelivery(
  delivery: Omit<Delivery, 'pause' | keyof KeyNames>,
  attempts: readonly AttemptRecord[] = [],
): PortalDelivery {
  const { keyId, cycle } = delivery;
  const last = lastAttempt(delivery);
  const lastFailed = lastFailedOf(last === null ? attempts : [...attempts, last]);
  return { ...ownDelivery(delivery), keyId, cycle, lastFailed };
}

/** Returns whether an attempt before the last one may have failed. */
export function mayHaveFailed({ state, attempts, cycle }: StoredDelivery): boolean {
  return cycle > 1 || (state === 'delivered' && attempts > 1);
}

export function portalDeliveryDetails(details: DeliveryDetails): PortalDeliveryDetails {
  const { delivery, event, attempts, successes } = details;
  const listed = portalDelivery(delivery, attempts);
  return { ...listed, body: event.body, attemptList: allAttempts(attempts, successes) };
}

/** The stored attempts, and the successes of which only evidence is stored. */
function allAttempts(
  attempts: readonly AttemptRecord[],
  successes: DeliveryDetails['successes'],
): readonly PortalAttempt[] {
  const own = attempts.map(ownAttempt);
  const known = new Set(own.map(({ cycle, number }) => `${cycle}.${number}`));
  const others = successes
    .filter(({ cycle, attempts: number }) => !known.has(`${cycle}.${number}`))
    .map(({ cycle, attempts: number, deliveredAt, latencyMs, status }) => {
      return { cycle, number, endedAt: deliveredAt, latencyMs, status, failure: null };
    });
  return [...own, ...others].toSorted((one, other) => one.cycle - other.cycle || one.number - other.number);
}

function ownAttempt({ number, cycle, endedAt, latencyMs, outcome }: AttemptRecord): PortalAttempt {
  const status = outcome.kind === 'answered' ? outcome.status : null;
  return { number, cycle, endedAt, latencyMs, status, failure: failureOf(outcome) };
}

export function ownRequest(keyId: KeyId, request: RequestRecord): OwnRequest {
  const { requestId, at, method, route, status, code, fields, durationMs } = request;
  const { applicationId, jobId, isReplay, count } = request;
  const said = { requestId, at, method, route, status, code, fields, durationMs };
  return { ...said, keyId, applicationId, jobId, isReplay, count };
}

export function portalRequest(
  keyId: KeyId,
  request: RequestRecord,
  closing: JobClosing | null,
): PortalRequest {
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

function lastFailedOf(attempts: readonly AttemptRecord[]): PortalDelivery['lastFailed'] {
  const [last = null] = attempts
    .filter(({ outcome }) => !isSuccess(outcome))
    .toSorted((one, other) => other.endedAt - one.endedAt);
  return last === null ? null : { failure: ownFailure(last.outcome), at: last.endedAt };
}
