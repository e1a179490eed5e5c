import {
  createSecret,
  describeSecret,
  type PartnerKey,
  SECRET_PREFIXES,
  SECRET_RANDOM_BYTES,
} from '../../domain/partner-key.js';
import { OperatorError } from '../../errors.js';
import { inspectUrl } from '../endpoints/endpoint-url.js';
import { newEndpoint } from '../endpoints/new-endpoint.js';
import { inspect, inspectChoice } from '../input/inspection.js';
import type { IssuedKey, NewKey } from '../keys.js';
import { prepareSandbox } from '../sandbox/prepare-sandbox.js';
import type { Scope } from '../scope.js';

/** Issues a key, with its endpoint if a URL is given. Throws what `KeyCommands` says. */
export async function issueKey(scope: Scope, input: NewKey): Promise<IssuedKey> {
  const { partnerId, environment, endpointUrl } = input;
  inspectNewKey(scope, input);
  if ((await scope.tx.partners.find(partnerId)) === null) {
    throw new OperatorError('PARTNER_NOT_FOUND', `There is no partner ${partnerId}. Add it first.`);
  }
  const key = await addKey(scope, { partnerId, environment });
  const secret = await addSecret(scope, key);
  const endpoint = endpointUrl === undefined ? null : await addEndpoint(scope, key, endpointUrl);
  // Behind the endpoint, which hears of the sandbox's jobs, and last, since it takes stamps.
  if (scope.sandbox && environment === 'sandbox') await prepareSandbox(scope, key.id);
  return { key, secret, endpoint };
}

async function addEndpoint(scope: Scope, key: PartnerKey, url: string): Promise<IssuedKey['endpoint']> {
  const { endpoint, signingSecret } = newEndpoint(scope, {
    keyId: key.id,
    url,
    createdAt: await scope.now(),
  });
  await scope.tx.endpoints.save(endpoint);
  return { url: endpoint.url, signingSecret };
}

/** Makes and stores a secret that opens the key; the answer is the only time it is seen. */
export async function addSecret({ tx, runtime, now }: Scope, key: PartnerKey): Promise<string> {
  const secret = createSecret(key.environment, runtime.random.bytes(SECRET_RANDOM_BYTES));
  await tx.keys.addSecret(describeSecret(key.id, key.environment, secret, await now()));
  return secret;
}

function inspectNewKey({ urlPolicy }: Scope, { environment, endpointUrl }: NewKey): void {
  const inspection = inspect('keys.issue');
  inspectChoice(inspection, environment, 'environment', Object.keys(SECRET_PREFIXES));
  if (endpointUrl !== undefined) inspectUrl(inspection, endpointUrl, 'endpointUrl', urlPolicy);
  inspection.end();
}

async function addKey(
  { tx, runtime, now }: Scope,
  owner: Pick<PartnerKey, 'partnerId' | 'environment'>,
): Promise<PartnerKey> {
  const key = { ...owner, id: runtime.ids.next('key'), createdAt: await now() };
  if ((await tx.keys.add(key)) === 'added') return key;
  throw new OperatorError(
    'KEY_EXISTS',
    `${owner.partnerId} has a ${owner.environment} key. Use keys.rotate to give it a new secret.`,
  );
}
