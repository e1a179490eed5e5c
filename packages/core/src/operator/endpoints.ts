import type { BacklogCounts } from '../domain/backlog.js';
import type { AttemptRecord } from '../domain/delivery.js';
import { type Endpoint, type PauseReason, resumeEndpoint, signingSecrets } from '../domain/endpoint.js';
import type { KeyId } from '../domain/ids.js';
import { DEFAULT_OVERLAP_MS, expireBy } from '../domain/partner-key.js';
import { countDeliveries } from './deliveries/find-delivery.js';
import { lockEndpoint, lockKey } from './find-or-throw.js';
import { inspect, inspectOverlap, inspectUrl } from './input.js';
import { newEndpoint, newSigningSecret } from './new-endpoint.js';
import type { Runner, Scope } from './scope.js';

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
  /** Shown only here. Null if the endpoint already existed. */
  readonly signingSecret: string | null;
}

/** The endpoint after `resume`. `pausedReason` is null if it was active. */
export interface EndpointResumption extends EndpointOutcome {
  readonly pausedReason: PauseReason | null;
}

/** A rotation of a signing secret. */
export interface SigningSecretRotation extends EndpointTarget {
  /** How long the old secrets also sign, in milliseconds: 0 to 7 days, 24 hours by default. */
  readonly overlapMs?: number;
}

/** The health of an endpoint. */
export interface EndpointHealthReport {
  readonly endpoint: EndpointView;
  readonly counts: BacklogCounts;
  /** At most five, newest first. A success on the first attempt is not recorded. */
  readonly lastAttempts: readonly AttemptRecord[];
}

/** Manages webhook endpoints. A key has at most one. */
export interface EndpointCommands {
  /**
   * Creates the key's endpoint, or changes its URL. A change keeps secrets, health and pause, and pending
   * events go to the new URL.
   * @throws OperatorError `INVALID_INPUT` or `KEY_NOT_FOUND`.
   * @example
   * const { signingSecret } = await operator.endpoints.setUrl({ keyId, url: 'https://ats.example/webhooks' });
   */
  setUrl(target: EndpointTarget & { readonly url: string }): Promise<EndpointUrlOutcome>;
  /**
   * Creates a signing secret, shown only here. During the overlap, old and new secrets sign each attempt.
   * @throws OperatorError `INVALID_INPUT`, `KEY_NOT_FOUND` or `ENDPOINT_NOT_FOUND`.
   * @example
   * const { signingSecret } = await operator.endpoints.rotateSecret({ keyId, overlapMs: 60 * 60 * 1000 });
   */
  rotateSecret(rotation: SigningSecretRotation): Promise<{ readonly signingSecret: string }>;
  /**
   * Pauses sending from the worker's next poll on. Events are still recorded.
   * @throws OperatorError `ENDPOINT_NOT_FOUND` or `KEY_NOT_FOUND`.
   * @example
   * const { changed } = await operator.endpoints.pause({ keyId });
   */
  pause(target: EndpointTarget): Promise<EndpointOutcome>;
  /**
   * Resumes sending, starting with the backlog, and resets the failure counters.
   * @throws OperatorError `ENDPOINT_NOT_FOUND` or `KEY_NOT_FOUND`.
   * @example
   * const { pausedReason } = await operator.endpoints.resume({ keyId });
   */
  resume(target: EndpointTarget): Promise<EndpointResumption>;
  /**
   * Returns the endpoint of a key, or null.
   * @example
   * const endpoint = await operator.endpoints.find({ keyId });
   * const isPaused = endpoint?.state.kind === 'paused';
   */
  find(target: EndpointTarget): Promise<EndpointView | null>;
  /**
   * Returns an endpoint with its backlog and last attempts, or null.
   * @example
   * const report = await operator.endpoints.health({ keyId });
   * const failures = report?.endpoint.health.consecutiveFailures;
   */
  health(target: EndpointTarget): Promise<EndpointHealthReport | null>;
  /**
   * Returns all endpoints.
   * @example
   * const endpoints = await operator.endpoints.list();
   * const paused = endpoints.filter(({ state }) => state.kind === 'paused');
   */
  list(): Promise<readonly EndpointView[]>;
}

export function endpointCommands(runner: Runner): EndpointCommands {
  const { run, read } = runner;
  return {
    setUrl: (target) => run((scope) => setUrl(scope, target)),
    rotateSecret: (rotation) => run((scope) => rotateSigningSecret(scope, rotation)),
    pause: ({ keyId }) => run((scope) => pauseEndpoint(scope, keyId)),
    resume: ({ keyId }) => run((scope) => resume(scope, keyId)),
    find: async ({ keyId }) => {
      const endpoint = await read.endpoints.find(keyId);
      return endpoint && viewEndpoint(endpoint);
    },
    health: ({ keyId }) => endpointHealth(runner, keyId),
    list: async () => (await read.endpoints.list()).map(viewEndpoint),
  };
}

async function setUrl(
  scope: Scope,
  { keyId, url }: EndpointTarget & { readonly url: string },
): Promise<EndpointUrlOutcome> {
  const inspection = inspect('endpoints.setUrl');
  inspectUrl(inspection, url, 'url', scope.urlPolicy);
  inspection.end();
  await lockKey(scope, keyId);
  const existing = await scope.tx.endpoints.findForUpdate(keyId);
  if (existing !== null)
    return { ...(await replace(scope, existing, { ...existing, url })), signingSecret: null };
  const { endpoint, signingSecret } = newEndpoint(scope, { keyId, url, createdAt: await scope.now() });
  await scope.tx.endpoints.save(endpoint);
  return { endpoint: viewEndpoint(endpoint), changed: true, signingSecret };
}

async function rotateSigningSecret(
  scope: Scope,
  { keyId, overlapMs = DEFAULT_OVERLAP_MS }: SigningSecretRotation,
): Promise<{ readonly signingSecret: string }> {
  const inspection = inspect('endpoints.rotateSecret');
  inspectOverlap(inspection, overlapMs);
  inspection.end();
  const endpoint = await lockEndpoint(scope, keyId);
  const { signingSecret, sealed } = newSigningSecret(scope, keyId);
  const now = await scope.now();
  const replaced = endpoint.secrets.map((secret) => expireBy(secret, now + overlapMs));
  const stillSigning = signingSecrets({ ...endpoint, secrets: replaced }, now);
  await scope.tx.endpoints.save({ ...endpoint, secrets: [sealed, ...stillSigning] });
  return { signingSecret };
}

async function pauseEndpoint(scope: Scope, keyId: KeyId): Promise<EndpointOutcome> {
  const endpoint = await lockEndpoint(scope, keyId);
  if (endpoint.state.kind === 'paused') return { endpoint: viewEndpoint(endpoint), changed: false };
  const pausedAt = await scope.now();
  return replace(scope, endpoint, { ...endpoint, state: { kind: 'paused', reason: 'operator', pausedAt } });
}

async function resume(scope: Scope, keyId: KeyId): Promise<EndpointResumption> {
  const endpoint = await lockEndpoint(scope, keyId);
  const { state } = endpoint;
  if (state.kind === 'active')
    return { endpoint: viewEndpoint(endpoint), changed: false, pausedReason: null };
  scope.workIsDue();
  const outcome = await replace(scope, endpoint, resumeEndpoint(endpoint));
  return { ...outcome, pausedReason: state.reason };
}

async function replace({ tx }: Scope, before: Endpoint, after: Endpoint): Promise<EndpointOutcome> {
  const changed = before.url !== after.url || before.state !== after.state;
  if (changed) await tx.endpoints.save(after);
  return { endpoint: viewEndpoint(after), changed };
}

function viewEndpoint({ keyId, url, state, health, createdAt }: Endpoint): EndpointView {
  return { keyId, url, state, health, createdAt };
}

const LAST_ATTEMPTS = 5;

async function endpointHealth(runner: Runner, keyId: KeyId): Promise<EndpointHealthReport | null> {
  const endpoint = await runner.read.endpoints.find(keyId);
  if (endpoint === null) return null;
  const { overall: counts } = await countDeliveries(runner, keyId);
  const lastAttempts = await runner.read.deliveries.listAttempts({ keyId, limit: LAST_ATTEMPTS });
  return { endpoint: viewEndpoint(endpoint), counts, lastAttempts };
}
