import { originOf } from '../domain/failing-endpoint.js';
import type { PartnerId } from '../domain/ids.js';
import {
  createSecret,
  describeSecret,
  type Environment,
  type PartnerKey,
  SECRET_RANDOM_BYTES,
} from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import { assertAllowedUrl, storedUrl } from './command/url.js';
import { describeMissing } from './find-or-throw.js';
import { newEndpoint } from './new-endpoint.js';
import { recordAct, withinAct } from './record-act.js';
import { prepareSandbox } from './sandbox.js';
import type { Scope } from './scope.js';

/** A key to issue. */
export interface NewKey {
  readonly partnerId: PartnerId;
  readonly environment: Environment;
  readonly endpointUrl?: string | undefined;
}

/** An issued key. The secrets are shown only here. */
export interface IssuedKey {
  readonly key: PartnerKey;
  readonly secret: string;
  /** Null without an `endpointUrl`. */
  readonly endpoint: { readonly url: string; readonly signingSecret: string } | null;
}

export async function issueKey(
  scope: Scope,
  { partnerId, environment, endpointUrl }: NewKey,
): Promise<IssuedKey> {
  if (endpointUrl !== undefined) assertAllowedUrl(endpointUrl, 'endpointUrl', scope.urlPolicy);
  if ((await scope.tx.partners.find(partnerId)) === null) {
    const message = `${describeMissing('partner', partnerId)} Create it with partners.create.`;
    throw new OperatorError('PARTNER_NOT_FOUND', message);
  }
  const key = await addKey(scope, { partnerId, environment });
  const secret = await addSecret(scope, key);
  const endpoint = endpointUrl === undefined ? null : await addEndpoint(scope, key, endpointUrl);
  // The sandbox is prepared last. Its jobs cause events for the endpoint, and publishing them locks the key's
  // feed until the commit.
  if (scope.sandbox && environment === 'sandbox') await prepareSandbox(withinAct(scope), key.id);
  recordAct(scope, {
    objects: [
      { kind: 'key', id: key.id },
      { kind: 'partner', id: partnerId },
    ],
    keyId: key.id,
    after: { environment, endpoint: endpoint && originOf(endpoint.url) },
  });
  return { key, secret, endpoint };
}

async function addKey(
  { tx, runtime, now }: Scope,
  owner: Pick<PartnerKey, 'partnerId' | 'environment'>,
): Promise<PartnerKey> {
  const key = { ...owner, id: runtime.ids.next('key'), createdAt: await now() };
  if ((await tx.keys.add(key)) === 'added') return key;
  throw new OperatorError(
    'KEY_EXISTS',
    `Partner ${owner.partnerId} already has a ${owner.environment} key. Replace its secret with keys.rotate.`,
  );
}

export async function addSecret({ tx, runtime, now }: Scope, key: PartnerKey): Promise<string> {
  const secret = createSecret(key.environment, runtime.random.bytes(SECRET_RANDOM_BYTES));
  await tx.keys.addSecret(describeSecret(key.id, key.environment, secret, await now()));
  return secret;
}

async function addEndpoint(scope: Scope, key: PartnerKey, url: string): Promise<IssuedKey['endpoint']> {
  const createdAt = await scope.now();
  const { endpoint, signingSecret } = newEndpoint(scope, { keyId: key.id, url: storedUrl(url), createdAt });
  await scope.tx.endpoints.save(endpoint);
  return { url: endpoint.url, signingSecret };
}
