import { secretRotatedAlert, signingSecretEndingAlert, urlChangedAlert } from '../../domain/alert.js';
import { isPartnerActor, pauseFields } from '../../domain/audit.js';
import {
  type Endpoint,
  type PauseReason,
  pausedEndpoint,
  pausedReasonOf,
  restorableUrl,
  resumeEndpoint,
  type SealedSigningSecret,
  type StoredEndpoint,
  withPartnerUrl,
} from '../../domain/endpoint.js';
import { signingSecrets } from '../../domain/endpoint-secrets.js';
import { OTHER_PATH, originOf } from '../../domain/failing-endpoint.js';
import type { KeyId } from '../../domain/ids.js';
import { DEFAULT_OVERLAP_MS, expireBy } from '../../domain/partner-key.js';
import { type Instant, toIso } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { assertAllowedUrl, storedUrl } from '../../operator/command/fields.js';
import { findKey, lockEndpoint, lockKey } from '../../operator/find-or-throw.js';
import { alertPartnerAct } from '../../operator/partner-alerts.js';
import { type Change, recordAct, type Scope } from '../../operator/scope.js';
import {
  currentSecret,
  type NewSigningSecret,
  nameDatabase,
  newEndpoint,
  newSigningSecret,
} from '../partners/issue-key.js';
import { assertCurrent } from '../partners/key-secrets.js';
import { assertPartnerEnabled } from '../partners/partner-changes.js';
import { assertKeyWorks, assertRoomForSecret } from '../partners/partner-permits.js';
import { type BulkSending, type DryRun, sendMany } from './send-many.js';
import { NOTHING_SENT } from './send-steps.js';
import { signingSecretIdOf, viewEndpoint } from './view-endpoint.js';

/** An endpoint by key. */
export interface EndpointTarget {
  readonly keyId: KeyId;
}

/** The endpoint after a command. */
export interface EndpointOutcome {
  readonly endpoint: Endpoint;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

/** The URL that an endpoint gets. */
export type EndpointUrlChange = EndpointTarget &
  (
    | { readonly url: string; readonly restore?: undefined }
    | {
        /**
         * Restores the URL that the partner itself has replaced with its API key, for 24 hours after its last change. If
         * there is no such URL, nothing changes.
         */
        readonly restore: true;
        readonly url?: undefined;
      }
  );

/** The endpoint after `setUrl`. */
export interface EndpointUrlOutcome extends EndpointOutcome {
  /** The signing secret of a new endpoint in clear, only here; null if the endpoint already existed. */
  readonly signingSecret: string | null;
}

/** Input of `resume`. */
export interface ResumeTarget extends EndpointTarget, DryRun {
  /**
   * Whether deliveries that wait for their next attempt are due now; default: false, so that they keep their time. Dead
   * letters are not sent.
   */
  readonly retryNow?: boolean | undefined;
}

/** The endpoint after `resume`. The counts are 0 without `retryNow`. */
export interface EndpointResumption extends EndpointOutcome, BulkSending {
  /** Why the endpoint was paused; null if it was active. */
  readonly pausedReason: PauseReason | null;
}

/** A rotation of a signing secret. */
export interface SigningSecretRotation extends EndpointTarget {
  /** How long the old secrets continue to sign, in milliseconds, from 0 to 7 days; default: 24 hours. */
  readonly overlapMs?: number | undefined;
  /**
   * The `signingSecretId` of the secret that you expect to be the current one, otherwise `rotateSecret` throws;
   * default: no check. Pass it for a rotation that must not happen twice, such as a form that may be sent again.
   */
  readonly ifCurrent?: string | undefined;
}

/** Seals before the transaction, unless the key has an endpoint. */
export async function setUrl(
  { commit, read, settings }: CommandContext,
  { keyId, url }: EndpointUrlChange,
): Promise<EndpointUrlOutcome> {
  if (url === undefined) return commit((scope) => restoreUrl(scope, keyId));
  const existing = await read.endpoints.find(keyId);
  const made = existing === null ? await newSigningSecret(settings, keyId) : null;
  return commit((scope) => setEndpointUrl(scope, { keyId, url }, made));
}

/** @param made - the signing secret of the endpoint if the key has none. */
export async function setEndpointUrl(
  scope: Scope,
  { keyId, url: given }: EndpointTarget & { readonly url: string },
  made: NewSigningSecret | null,
): Promise<EndpointUrlOutcome> {
  assertAllowedUrl(given, 'url', scope.urlPolicy);
  const url = storedUrl(given);
  const { partnerId } = await lockKey(scope, keyId);
  const existing = await scope.tx.endpoints.findForUpdate(keyId);
  if (existing === null) await assertPartnerEnabled(scope, partnerId);
  const createdAt = await scope.now();
  if (existing !== null) {
    const outcome = await replace(scope, existing, withUrl(scope, existing, url, createdAt));
    if (outcome.changed) {
      recordAct(scope, { ...objectOf(keyId), ...urlFields(existing.url, url) });
      await alertPartnerAct(scope, (id, door) =>
        urlChangedAlert({ keyId, url }, existing, { id, at: createdAt, door }),
      );
    }
    return { ...outcome, signingSecret: null };
  }
  const secret = made ?? (await newSigningSecret(scope, keyId));
  const endpoint = newEndpoint(secret, url, createdAt);
  await nameDatabase(scope);
  await scope.tx.endpoints.save(endpoint);
  recordAct(scope, { ...objectOf(keyId), after: { origin: originOf(url) } });
  await alertPartnerAct(scope, (id, door) => urlChangedAlert(endpoint, null, { id, at: createdAt, door }));
  return { ...outcomeOf(scope, endpoint, true), signingSecret: secret.signingSecret };
}

function urlFields(from: string, to: string): Required<Pick<Change, 'before' | 'after'>> {
  const before = { origin: originOf(from) };
  const after = { origin: originOf(to) };
  const isOtherPath = before.origin === after.origin && from !== to;
  return { before, after: isOtherPath ? { ...after, path: OTHER_PATH } : after };
}

function withUrl({ actor }: Scope, endpoint: StoredEndpoint, url: string, now: Instant): StoredEndpoint {
  if (endpoint.url === url) return endpoint;
  const tried = { ...endpoint, health: { ...endpoint.health, gap: null } };
  return isPartnerActor(actor) ? withPartnerUrl(tried, url, now) : { ...tried, url, replacedUrl: null };
}

async function restoreUrl(scope: Scope, keyId: KeyId): Promise<EndpointUrlOutcome> {
  const endpoint = await lockEndpoint(scope, keyId);
  const restorable = restorableUrl(endpoint, await scope.now());
  if (restorable === null) return { ...outcomeOf(scope, endpoint, false), signingSecret: null };
  const { url } = restorable;
  const restored = { ...withUrl(scope, endpoint, url, await scope.now()), replacedUrl: null };
  await scope.tx.endpoints.save(restored);
  const { before, after } = urlFields(endpoint.url, url);
  recordAct(scope, { ...objectOf(keyId), before, after: { ...after, restored: true } });
  return { ...outcomeOf(scope, restored, true), signingSecret: null };
}

export async function rotateSigningSecret(
  scope: Scope,
  { keyId, overlapMs = DEFAULT_OVERLAP_MS, ifCurrent }: SigningSecretRotation,
  made: NewSigningSecret,
): Promise<{ readonly signingSecret: string }> {
  const endpoint = await lockEndpoint(scope, keyId);
  const current = signingSecretIdOf(endpoint);
  assertCurrent(ifCurrent, current, `The signing secret of key ${keyId}`, 'endpoints.find');
  const now = await scope.now();
  const replaced = endpoint.secrets.map((secret) => expireBy(secret, now + overlapMs));
  const stillSigning = signingSecrets({ ...endpoint, secrets: replaced }, now);
  if (isPartnerActor(scope.actor)) {
    assertKeyWorks(keyId, await scope.tx.keys.listSecrets(keyId), now);
    assertRoomForSecret(stillSigning.map(({ createdAt }) => `the one of ${toIso(createdAt)}`));
  }
  await scope.tx.endpoints.save({ ...endpoint, secrets: [currentSecret(made, now), ...stillSigning] });
  const oldSecretsExpireAt = now + overlapMs;
  await alertOfEndings(scope, endpoint, stillSigning, now);
  recordAct(scope, { ...objectOf(keyId), after: { oldSecretsExpireAt } });
  await alertPartnerAct(scope, (id, door) =>
    secretRotatedAlert(endpoint, { id, at: now, door, oldSecretsExpireAt }),
  );
  return { signingSecret: made.signingSecret };
}

/** Has the partner told before its old secrets end. A rotation may have brought the end of a secret forward. */
async function alertOfEndings(
  { tx, runtime, workIsDue }: Scope,
  endpoint: StoredEndpoint,
  ending: readonly SealedSigningSecret[],
  now: Instant,
): Promise<void> {
  const known = new Set(endpoint.secrets.map(({ expiresAt }) => expiresAt));
  const ends = new Set(ending.map(({ expiresAt }) => expiresAt));
  const alerts = [...ends].flatMap((endsAt) =>
    endsAt === null || known.has(endsAt)
      ? []
      : [signingSecretEndingAlert(endpoint, { id: runtime.ids.next('alert'), now, endsAt })],
  );
  if (alerts.length === 0) return;
  await tx.alerts.add(alerts);
  workIsDue();
}

export async function pauseEndpoint(scope: Scope, keyId: KeyId): Promise<EndpointOutcome> {
  const endpoint = await lockEndpoint(scope, keyId);
  const reason = isPartnerActor(scope.actor) ? 'partner' : 'operator';
  const previous = pausedReasonOf(endpoint);
  if (previous !== null && (reason === 'partner' || isHeld(previous)))
    return outcomeOf(scope, endpoint, false);
  const pausedAt = await scope.now();
  recordAct(scope, { ...objectOf(keyId), before: pauseFields(previous), after: pauseFields(reason) });
  return replace(scope, endpoint, pausedEndpoint(endpoint, reason, pausedAt));
}

/** Returns whether only the operator, or nobody, ends the pause. The operator's pause replaces every other reason. */
function isHeld(reason: PauseReason): boolean {
  return reason === 'operator' || reason === 'partner_removed' || reason === 'copied';
}

function objectOf(keyId: KeyId): Pick<Change, 'objects' | 'keyId'> {
  return { objects: [{ kind: 'endpoint', id: keyId }], keyId };
}

function resumptionOf(keyId: KeyId, { pausedReason }: Resumed): Change {
  return { ...objectOf(keyId), before: pauseFields(pausedReason), after: pauseFields(null) };
}

export async function resumeSending(
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
  // Resumes in the transaction of the first step, so that the endpoint is not active for long before its deliveries are
  // due.
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
  // The endpoint that a dry run leaves paused would be active.
  return { ...resumed, ...sent, held: 0 };
}

type Resumed = EndpointOutcome & Pick<EndpointResumption, 'pausedReason'>;

/** Resumes an endpoint. With `isDryRun`, only returns what would change. */
export async function resumeOne(scope: Scope, keyId: KeyId, isDryRun: boolean): Promise<Resumed> {
  const endpoint = await lockEndpoint(scope, keyId);
  const pausedReason = pausedReasonOf(endpoint);
  if ((pausedReason === 'operator' || pausedReason === 'copied') && isPartnerActor(scope.actor))
    throw new OperatorError(
      'ILLEGAL_MOVE',
      `The operator paused the endpoint of key ${keyId}. Only the operator resumes it.`,
    );
  if (pausedReason !== null) await assertPartnerEnabled(scope, (await findKey(scope, keyId)).partnerId);
  const resumed = isDryRun ? endpoint : resumeEndpoint(endpoint, await scope.now());
  if (resumed === endpoint) return { ...outcomeOf(scope, endpoint, false), pausedReason };
  scope.workIsDue();
  return { ...(await replace(scope, endpoint, resumed)), pausedReason };
}

async function replace(
  scope: Scope,
  before: StoredEndpoint,
  after: StoredEndpoint,
): Promise<EndpointOutcome> {
  const changed = before.url !== after.url || before.state !== after.state || before.health !== after.health;
  if (changed) await scope.tx.endpoints.save(after);
  return outcomeOf(scope, after, changed);
}

function outcomeOf({ storageClock }: Scope, endpoint: StoredEndpoint, changed: boolean): EndpointOutcome {
  return { endpoint: viewEndpoint(endpoint, storageClock.now()), changed };
}
