import { pauseFields } from '../domain/audit.js';
import type { BacklogCounts } from '../domain/backlog.js';
import type { AttemptRecord } from '../domain/delivery.js';
import { type Endpoint, type PauseReason, resumeEndpoint, signingSecrets } from '../domain/endpoint.js';
import { originOf } from '../domain/failing-endpoint.js';
import type { KeyId } from '../domain/ids.js';
import { hashBinding } from '../domain/page.js';
import { DEFAULT_OVERLAP_MS, expireBy } from '../domain/partner-key.js';
import type { Repositories } from '../ports/storage.js';
import { assertCurrent } from './assert-current.js';
import { onHost, onKey } from './command/claims.js';
import { type CommandContext, type Definitions, inTransaction } from './command/definition.js';
import { flag, id, instant, optional, overlapMs, page, text } from './command/fields.js';
import { filter, record } from './command/input.js';
import { assertAllowedUrl, storedUrl, url } from './command/url.js';
import type { DryRun } from './deliveries/change-delivery.js';
import { countDeliveries } from './deliveries/find-delivery.js';
import { type BulkSending, sendMany } from './deliveries/send-many.js';
import { NOTHING_SENT } from './deliveries/send-steps.js';
import { type FailingEndpoint, listFailingEndpoints } from './failing-endpoints.js';
import { findEndpoint, lockEndpoint, lockKey } from './find-or-throw.js';
import { type KeyNames, withKeyNames } from './names.js';
import { newEndpoint, newSigningSecret } from './new-endpoint.js';
import { definePageCursors, isCursorId, type Page, type PageOptions, readPage } from './page-cursor.js';
import { recordAct } from './record-act.js';
import type { Change, Runner, Scope } from './scope.js';
import { type EndpointActivity, findActivity } from './system/endpoint-activity.js';
import type { HourFilter } from './system/hours.js';

/** An endpoint by key. */
export interface EndpointTarget {
  readonly keyId: KeyId;
}

/** An endpoint without its secrets. */
export type EndpointView = Omit<Endpoint, 'secrets'>;

/** The endpoint after a command. */
export interface EndpointOutcome {
  readonly endpoint: EndpointView;
  readonly changed: boolean;
}

/** The endpoint after `setUrl`. */
export interface EndpointUrlOutcome extends EndpointOutcome {
  /** The signing secret of a new endpoint, shown only here. Null if the endpoint already existed. */
  readonly signingSecret: string | null;
}

/** Input of `resume`. */
export interface ResumeTarget extends EndpointTarget, DryRun {
  /** Whether to retry now all deliveries that wait for their next attempt. False by default. */
  readonly retryNow?: boolean | undefined;
}

/** The endpoint after `resume`. The counts are 0 without `retryNow`. */
export interface EndpointResumption extends EndpointOutcome, BulkSending {
  /** Null if the endpoint was active. */
  readonly pausedReason: PauseReason | null;
}

/** A rotation of a signing secret. */
export interface SigningSecretRotation extends EndpointTarget {
  /** How long the old secrets continue to sign, in milliseconds, from 0 to 7 days. Default: 24 hours. */
  readonly overlapMs?: number | undefined;
  /**
   * The `signingSecretId` that you know. If the current secret has another one, the command throws. Pass it for a rotation
   * that must not happen twice, such as a form that may be sent again.
   */
  readonly ifCurrent?: string | undefined;
}

/** An endpoint without its secrets, and which secret is the current one. */
export interface FoundEndpoint extends EndpointView {
  /** Differs after each rotation. It does not tell the secret. */
  readonly signingSecretId: string;
}

/** An endpoint with its backlog and its last attempts. */
export interface EndpointHealthReport {
  readonly endpoint: EndpointView;
  readonly counts: BacklogCounts;
  /** At most five attempts, newest first. A success on the first attempt is not recorded. */
  readonly lastAttempts: readonly AttemptRecord[];
}

/** An endpoint without its secrets, with the names that belong to its key. */
export interface ListedEndpoint extends EndpointView, KeyNames {}

/** Manages webhook endpoints. A key has at most one. */
export interface EndpointCommands {
  /**
   * Creates the key's endpoint, or changes its URL, which is stored as `new URL(url).href`. A change keeps the secrets, the health and the paused
   * state. Pending events go to the new URL.
   * @throws OperatorError `INVALID_INPUT` or `KEY_NOT_FOUND`.
   * @example
   * const { signingSecret } = await operator.endpoints.setUrl({ keyId, url: 'https://ats.example/webhooks' });
   */
  setUrl(target: EndpointTarget & { readonly url: string }): Promise<EndpointUrlOutcome>;
  /**
   * Creates a signing secret and returns it. It is not shown again. During the overlap, the old and new
   * secrets sign each attempt.
   * @throws OperatorError `INVALID_INPUT`, `KEY_NOT_FOUND`, `ENDPOINT_NOT_FOUND`, or `SECRET_REPLACED` if `ifCurrent` is not
   *   the current secret.
   * @example
   * const { signingSecret } = await operator.endpoints.rotateSecret({ keyId, overlapMs: 60 * 60 * 1000 });
   */
  rotateSecret(rotation: SigningSecretRotation): Promise<{ readonly signingSecret: string }>;
  /**
   * Pauses an endpoint. Sending stops at the worker's next poll. Events are still recorded.
   * @throws OperatorError `ENDPOINT_NOT_FOUND` or `KEY_NOT_FOUND`.
   * @example
   * const { changed } = await operator.endpoints.pause({ keyId });
   */
  pause(target: EndpointTarget): Promise<EndpointOutcome>;
  /**
   * Resumes sending, starting with the backlog, and resets the failure counters. With `retryNow`, deliveries
   * do not wait for their next attempt, even if the endpoint was active. After 10,000 of them, the worker
   * brings forward the rest as an operation. With `dryRun`, the endpoint stays paused.
   * @throws OperatorError `INVALID_INPUT`, `ENDPOINT_NOT_FOUND` or `KEY_NOT_FOUND`.
   * @example
   * const { pausedReason, count } = await operator.endpoints.resume({ keyId, retryNow: true });
   */
  resume(target: ResumeTarget): Promise<EndpointResumption>;
  /**
   * Returns the endpoint of a key, or null.
   * @example
   * const endpoint = await operator.endpoints.find({ keyId });
   * const isPaused = endpoint?.state.kind === 'paused';
   */
  find(target: EndpointTarget): Promise<FoundEndpoint | null>;
  /**
   * Returns an endpoint with its backlog and last attempts.
   * @throws OperatorError `ENDPOINT_NOT_FOUND`.
   * @example
   * const report = await operator.endpoints.health({ keyId });
   * const failures = report.endpoint.health.consecutiveFailures;
   */
  health(target: EndpointTarget): Promise<EndpointHealthReport>;
  /**
   * Returns how many attempts of an endpoint succeeded and failed in each hour, of the last 24 hours by default.
   * Workers add to the counts every 30 seconds.
   * @throws OperatorError `INVALID_INPUT` or `ENDPOINT_NOT_FOUND`.
   * @example
   * const activity = await operator.endpoints.activity({ keyId });
   * const failed = activity.hours.map((hour) => hour.failed);
   */
  activity(target: EndpointTarget & HourFilter): Promise<EndpointActivity>;
  /**
   * Returns a page of all endpoints in the order of key ids, 100 by default.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const { items: endpoints } = await operator.endpoints.list();
   * const paused = endpoints.filter(({ state }) => state.kind === 'paused');
   */
  list(page?: PageOptions): Promise<Page<ListedEndpoint>>;
  /**
   * Iterates over what `list` returns, in its order: reads the next page when it is needed, and none after `break`.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * for await (const { keyLabel, url } of operator.endpoints.each()) console.log(keyLabel, url);
   */
  each(page?: PageOptions): AsyncIterable<ListedEndpoint>;
  /**
   * Returns a page of the endpoints that are failing, even paused ones, longest failing first, 100 by default. An endpoint
   * is failing from its first failed attempt to its next success.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const { items: endpoints } = await operator.endpoints.listFailing({ limit: 20 });
   * const names = endpoints.map(({ partnerName, failingSince }) => [partnerName, new Date(failingSince)]);
   */
  listFailing(page?: PageOptions): Promise<Page<FailingEndpoint>>;
  /**
   * Iterates over what `listFailing` returns, in its order: reads the next page when it is needed, and none after `break`.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * for await (const { partnerName, waiting } of operator.endpoints.eachFailing()) console.log(partnerName, waiting);
   */
  eachFailing(page?: PageOptions): AsyncIterable<FailingEndpoint>;
}

const target = { keyId: id('key') };

export const endpointDefinitions: Definitions<EndpointCommands> = {
  setUrl: {
    summary: 'Creates the endpoint of a key, or changes its URL',
    input: record({ ...target, url }),
    act: true,
    right: 'endpoints:set-url',
    claims: onKey,
    run: inTransaction(setUrl),
  },
  rotateSecret: {
    summary: 'Creates a new signing secret; both sign during the overlap',
    input: record({ ...target, overlapMs: optional(overlapMs), ifCurrent: optional(text()) }),
    act: true,
    right: 'endpoints:rotate-secret',
    claims: onKey,
    run: inTransaction(rotateSigningSecret),
  },
  pause: {
    summary: 'Pauses sending; events are still recorded',
    input: record(target),
    act: true,
    right: 'endpoints:pause',
    claims: onKey,
    run: ({ commit }, { keyId }) => commit((scope) => pauseEndpoint(scope, keyId)),
  },
  resume: {
    summary: 'Resumes sending, starting with the backlog',
    input: record({ ...target, retryNow: optional(flag), dryRun: optional(flag) }),
    act: true,
    right: 'endpoints:resume',
    claims: onKey,
    run: resume,
  },
  find: {
    summary: 'Shows an endpoint',
    input: record(target),
    right: 'endpoints:read',
    claims: onKey,
    run: async ({ read }, { keyId }) => {
      const endpoint = await read.endpoints.find(keyId);
      return endpoint && { ...viewEndpoint(endpoint), signingSecretId: signingSecretIdOf(endpoint) };
    },
  },
  health: {
    summary: 'Shows the health of an endpoint: state, backlog, last failures',
    input: record(target),
    right: 'endpoints:read',
    claims: onKey,
    run: (context, { keyId }) => endpointHealth(context, keyId),
  },
  activity: {
    summary: 'Counts the attempts of an endpoint in each hour',
    input: record({ ...target, since: optional(instant) }),
    right: 'endpoints:read',
    claims: onKey,
    run: findActivity,
  },
  list: {
    summary: 'Lists endpoints and their health',
    input: filter(page),
    right: 'endpoints:read',
    claims: onHost,
    run: ({ read }, asked) => listEndpoints(read, asked),
  },
  listFailing: {
    summary: 'Lists endpoints whose last attempt failed, longest first',
    input: filter(page),
    right: 'endpoints:read',
    claims: onHost,
    run: listFailingEndpoints,
  },
};

const CURSORS = definePageCursors<Pick<Endpoint, 'keyId'>>({
  list: 'endpoints',
  valuesOf: ({ keyId }) => [keyId],
  positionOf: ([keyId]) => (isCursorId<KeyId>(keyId) ? { keyId } : null),
});

async function listEndpoints(read: Repositories, page: PageOptions): Promise<Page<ListedEndpoint>> {
  const { items: rows, nextCursor } = await readPage(CURSORS, [], page, ({ after, limit }) =>
    read.endpoints.list({ after: after?.keyId ?? null, limit }),
  );
  return { items: await withKeyNames(read, rows.map(viewEndpoint)), nextCursor };
}

async function setUrl(
  scope: Scope,
  { keyId, url: given }: EndpointTarget & { readonly url: string },
): Promise<EndpointUrlOutcome> {
  assertAllowedUrl(given, 'url', scope.urlPolicy);
  const url = storedUrl(given);
  await lockKey(scope, keyId);
  const existing = await scope.tx.endpoints.findForUpdate(keyId);
  if (existing !== null) {
    const outcome = await replace(scope, existing, { ...existing, url });
    const [before, after] = [{ origin: originOf(existing.url) }, { origin: originOf(url) }];
    if (outcome.changed) recordAct(scope, { ...objectOf(keyId), before, after });
    return { ...outcome, signingSecret: null };
  }
  const { endpoint, signingSecret } = newEndpoint(scope, { keyId, url, createdAt: await scope.now() });
  await scope.tx.endpoints.save(endpoint);
  recordAct(scope, { ...objectOf(keyId), after: { origin: originOf(url) } });
  return { endpoint: viewEndpoint(endpoint), changed: true, signingSecret };
}

async function rotateSigningSecret(
  scope: Scope,
  { keyId, overlapMs = DEFAULT_OVERLAP_MS, ifCurrent }: SigningSecretRotation,
): Promise<{ readonly signingSecret: string }> {
  const endpoint = await lockEndpoint(scope, keyId);
  const current = signingSecretIdOf(endpoint);
  assertCurrent(ifCurrent, current, `The signing secret of key ${keyId}`, 'endpoints.find');
  const { signingSecret, sealed } = newSigningSecret(scope, keyId);
  const now = await scope.now();
  const replaced = endpoint.secrets.map((secret) => expireBy(secret, now + overlapMs));
  const stillSigning = signingSecrets({ ...endpoint, secrets: replaced }, now);
  await scope.tx.endpoints.save({ ...endpoint, secrets: [sealed, ...stillSigning] });
  recordAct(scope, { ...objectOf(keyId), after: { oldSecretsExpireAt: now + overlapMs } });
  return { signingSecret };
}

async function pauseEndpoint(scope: Scope, keyId: KeyId): Promise<EndpointOutcome> {
  const endpoint = await lockEndpoint(scope, keyId);
  if (endpoint.state.kind === 'paused') return { endpoint: viewEndpoint(endpoint), changed: false };
  const pausedAt = await scope.now();
  recordAct(scope, { ...objectOf(keyId), ...pauseFields('operator') });
  return replace(scope, endpoint, { ...endpoint, state: { kind: 'paused', reason: 'operator', pausedAt } });
}

function objectOf(keyId: KeyId): Pick<Change, 'objects' | 'keyId'> {
  return { objects: [{ kind: 'endpoint', id: keyId }], keyId };
}

function resumptionOf(keyId: KeyId, { pausedReason }: Resumed): Change {
  const { before: active, after: paused } = pauseFields(pausedReason ?? 'operator');
  return { ...objectOf(keyId), before: paused, after: active };
}

async function resume(
  context: CommandContext,
  { keyId, retryNow = false, dryRun = false }: ResumeTarget,
): Promise<EndpointResumption> {
  if (!retryNow) {
    const resumed = await context.commit(async (scope) => {
      const outcome = await resumeOne(scope, keyId, dryRun);
      if (outcome.changed) recordAct(scope, resumptionOf(keyId, outcome));
      return outcome;
    });
    return { ...resumed, ...NOTHING_SENT, operation: null };
  }
  // The endpoint must not be active for long before its deliveries are due.
  let resumed: Resumed | undefined;
  const sent = await sendMany(
    context,
    { kind: 'retry_now', keyId },
    {
      isDryRun: dryRun,
      first: async (scope) => {
        resumed = await resumeOne(scope, keyId, dryRun);
        return resumed.changed ? resumptionOf(keyId, resumed) : null;
      },
    },
  );
  if (resumed === undefined) throw new Error('The first step did not run.');
  return { ...resumed, ...sent };
}

type Resumed = EndpointOutcome & Pick<EndpointResumption, 'pausedReason'>;

async function resumeOne(scope: Scope, keyId: KeyId, isDryRun: boolean): Promise<Resumed> {
  const endpoint = await lockEndpoint(scope, keyId);
  const { state } = endpoint;
  const pausedReason = state.kind === 'active' ? null : state.reason;
  if (pausedReason === null || isDryRun)
    return { endpoint: viewEndpoint(endpoint), changed: false, pausedReason };
  scope.workIsDue();
  const resumed = resumeEndpoint(endpoint, await scope.now());
  return { ...(await replace(scope, endpoint, resumed)), pausedReason };
}

async function replace({ tx }: Scope, before: Endpoint, after: Endpoint): Promise<EndpointOutcome> {
  const changed = before.url !== after.url || before.state !== after.state;
  if (changed) await tx.endpoints.save(after);
  return { endpoint: viewEndpoint(after), changed };
}

function signingSecretIdOf({ secrets: [current] }: Endpoint): string {
  return hashBinding([current?.sealed ?? null]);
}

function viewEndpoint({ keyId, url, state, health, createdAt, resumedAt }: Endpoint): EndpointView {
  return { keyId, url, state, health, createdAt, resumedAt };
}

const LAST_ATTEMPTS = 5;

async function endpointHealth(runner: Runner, keyId: KeyId): Promise<EndpointHealthReport> {
  const endpoint = await findEndpoint(runner.read, keyId);
  const { overall: counts } = await countDeliveries(runner, keyId);
  const lastAttempts = await runner.read.deliveries.listAttempts({ keyId, limit: LAST_ATTEMPTS });
  return { endpoint: viewEndpoint(endpoint), counts, lastAttempts };
}
