import { type Endpoint, resumeEndpoint, signingSecrets } from '../../domain/endpoint.js';
import type { KeyId } from '../../domain/ids.js';
import { DEFAULT_OVERLAP_MS } from '../../domain/partner-key.js';
import { endBy } from '../end-by.js';
import type {
  EndpointOutcome,
  EndpointResumption,
  EndpointTarget,
  EndpointUrlOutcome,
  SigningSecretRotation,
} from '../endpoints.js';
import { inspect, inspectOverlap } from '../input/inspection.js';
import { lockKey } from '../keys/find-key.js';
import type { Scope } from '../scope.js';
import { inspectUrl } from './endpoint-url.js';
import { viewEndpoint } from './endpoint-view.js';
import { lockEndpoint } from './find-endpoint.js';
import { newEndpoint, newSigningSecret } from './new-endpoint.js';

/** Creates a key's endpoint, or changes its URL. Throws what `EndpointCommands` says. */
export async function setUrl(
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

/** Replaces the signing secret. Throws what `EndpointCommands` says. */
export async function rotateSigningSecret(
  scope: Scope,
  { keyId, overlapMs = DEFAULT_OVERLAP_MS }: SigningSecretRotation,
): Promise<{ readonly signingSecret: string }> {
  const inspection = inspect('endpoints.rotateSecret');
  inspectOverlap(inspection, overlapMs);
  inspection.end();
  const endpoint = await lockEndpoint(scope, keyId);
  const { signingSecret, sealed } = newSigningSecret(scope, keyId);
  const now = await scope.now();
  const replaced = endpoint.secrets.map((secret) => endBy(secret, now + overlapMs));
  const stillSigning = signingSecrets({ ...endpoint, secrets: replaced }, now);
  await scope.tx.endpoints.save({ ...endpoint, secrets: [sealed, ...stillSigning] });
  return { signingSecret };
}

/** Pauses an endpoint. Throws what `EndpointCommands` says. */
export async function pauseEndpoint(scope: Scope, keyId: KeyId): Promise<EndpointOutcome> {
  const endpoint = await lockEndpoint(scope, keyId);
  if (endpoint.state.kind === 'paused') return { endpoint: viewEndpoint(endpoint), changed: false };
  const pausedAt = await scope.now();
  return replace(scope, endpoint, { ...endpoint, state: { kind: 'paused', reason: 'operator', pausedAt } });
}

/** Resumes an endpoint. Throws what `EndpointCommands` says. */
export async function resume(scope: Scope, keyId: KeyId): Promise<EndpointResumption> {
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
