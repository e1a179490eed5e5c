import { isPromise } from '../domain/any-realm.js';
import type { AttemptEnd, AttemptOutcome } from '../domain/delivery.js';
import type { SealedSigningSecret, StoredEndpoint } from '../domain/endpoint.js';
import { signingSecrets } from '../domain/endpoint-secrets.js';
import type { PartnerEvent } from '../domain/event.js';
import type { KeyId } from '../domain/ids.js';
import {
  createSigner,
  SIGNATURE_HEADER,
  type Signer,
  signatureHeaders,
  TIMESTAMP_HEADER,
  WEBHOOK_USER_AGENT,
} from '../domain/signature.js';
import type { Instant } from '../domain/time.js';
import { NetworkUnavailable, OperatorError } from '../errors.js';
import type { GuardedSecretBox, SecretBox, WebhookTransport } from '../ports/host-services.js';
import type { Clock } from '../ports/runtime.js';
import type { StorageClock } from '../storage-clock.js';

export interface AttemptPorts {
  readonly transport: WebhookTransport;
  readonly secretBox: GuardedSecretBox;
  readonly clock: Clock;
  /** Gives the time of the signature and of the attempt's end. */
  readonly storageClock: Pick<StorageClock, 'now'>;
  readonly observer?: AttemptObserver;
}

export interface AttemptObserver {
  begin(endpoint: StoredEndpoint, event: PartnerEvent): ObservedAttempt;
}

export interface ObservedAttempt {
  run<Result>(post: () => Result): Result;
  end(outcome: AttemptOutcome): void;
  /** Called if the transport threw, although its contract forbids that. */
  broke(): void;
}

const UNOBSERVED: ObservedAttempt = { run: (post) => post(), end: () => {}, broke: () => {} };

export const UNOBSERVED_ATTEMPTS: AttemptObserver = { begin: () => UNOBSERVED };

/**
 * Posts the stored bytes once, signed with every valid secret.
 * @throws SecretsUnreadable before it posts anything.
 */
export async function attempt(
  { transport, secretBox, clock, storageClock, observer = UNOBSERVED_ATTEMPTS }: AttemptPorts,
  endpoint: StoredEndpoint,
  event: PartnerEvent,
): Promise<AttemptEnd> {
  let signedAt = storageClock.now();
  let signers = openSigners(secretBox, endpoint, signedAt);
  if (isPromise(signers)) {
    signers = await signers;
    signedAt = storageClock.now();
  }
  const startedAt = clock.now();
  const { body } = event;
  const signed = signatureHeaders(signers, signedAt, body);
  const headers = {
    Accept: '*/*',
    'Content-Type': 'application/json',
    'User-Agent': WEBHOOK_USER_AGENT,
    [SIGNATURE_HEADER]: signed[SIGNATURE_HEADER],
    [TIMESTAMP_HEADER]: signed[TIMESTAMP_HEADER],
  };
  const watched = observer.begin(endpoint, event);
  let outcome: AttemptOutcome;
  try {
    outcome = await watched.run(() => transport.post({ url: endpoint.url, headers, body }));
  } catch (error) {
    watched.broke();
    throw error;
  }
  watched.end(outcome);
  // The latency is never negative, even if the clock was set back.
  return { outcome, endedAt: storageClock.now(), latencyMs: Math.max(0, clock.now() - startedAt) };
}

/** No attempt was made. */
export class SecretsUnreadable extends Error {
  override readonly name = 'SecretsUnreadable';
}

/**
 * Returns one signer per valid secret, newest first. Returns a promise only if a key service must open a secret.
 * @throws SecretsUnreadable
 */
export function openSigners(
  secretBox: GuardedSecretBox,
  endpoint: StoredEndpoint,
  at: Instant,
): readonly Signer[] | Promise<readonly Signer[]> {
  const sealed = signingSecrets(endpoint, at);
  if (sealed.length === 0) throw new SecretsUnreadable('The endpoint has no valid signing secret.');
  const signers: Signer[] = [];
  for (const secret of sealed) {
    const known = opened.get(secret);
    if (known?.by !== secretBox) return open(secretBox, sealed, endpoint.keyId);
    signers.push(known.sign);
  }
  return signers;
}

/** Caches signers, because decrypting a secret costs more than signing. */
const opened = new WeakMap<SealedSigningSecret, { readonly by: SecretBox; readonly sign: Signer }>();

function open(
  secretBox: GuardedSecretBox,
  all: readonly SealedSigningSecret[],
  keyId: KeyId,
): readonly Signer[] | Promise<readonly Signer[]> {
  const toSigner = (secret: string, index: number): Signer => {
    const sign = createSigner(secret);
    const sealed = all[index];
    if (sealed !== undefined) opened.set(sealed, { by: secretBox, sign });
    return sign;
  };
  try {
    const texts = all.map(({ sealed }) => sealed);
    secretBox.keepOnly?.(keyId, texts);
    const secrets = texts.map((sealed) =>
      secretBox.open(sealed, { purpose: 'webhook_signing_secret', keyId }),
    );
    if (secrets.every((secret) => typeof secret === 'string')) return secrets.map(toSigner);
    return Promise.all(secrets).then((found) => found.map(toSigner), throwUnreadable);
  } catch (cause) {
    return throwUnreadable(cause);
  }
}

function throwUnreadable(cause: unknown): never {
  if (cause instanceof OperatorError || cause instanceof NetworkUnavailable)
    throw new SecretsUnreadable(cause.message, { cause });
  throw new SecretsUnreadable(
    'The signing secret cannot be decrypted. Give this process the key that sealed it. If the key is right, the ' +
      'stored secret was changed: call endpoints.rotateSecret with overlapMs: 0.',
    { cause },
  );
}
