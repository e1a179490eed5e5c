import type { OperatorAlert } from '../domain/alert.js';
import type { AttemptOutcome } from '../domain/delivery.js';
import type { KeyId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';

/** Notifies the host of failing and paused endpoints, dead letters and parked inbox items. */
export interface OperatorAlerts {
  /**
   * Handles an alert. If it rejects, the worker tries again later. An alert may arrive twice with the same
   * `id`.
   */
  alert(alert: OperatorAlert): Promise<void>;
}

/** Normalizes the phone numbers of candidates. */
export interface PhoneNumbers {
  /**
   * Returns the number in E.164 format. Returns null if that is not possible or the number has an extension.
   * @param country - the country of the job, as an ISO 3166 alpha-2 code, or another text if it is not known. It applies
   *   to numbers without a country code, which must be valid there.
   */
  normalize(phone: string, country: string): string | null;
}

/**
 * The purpose and the owner of a secret. An encrypted secret can be decrypted only with the same context.
 */
export interface SecretContext {
  readonly purpose: 'webhook_signing_secret';
  readonly keyId: KeyId;
}

/**
 * Encrypts signing secrets, for example with a key management service. A promise may take at most 10 seconds. What `open`
 * resolves to stays in memory, so that each process asks once for each secret. See docs/secrets.md.
 */
export interface SecretBox {
  /** Encrypts the secret. Two calls with the same secret return different texts. */
  seal(secret: string, context: SecretContext): string | Promise<string>;
  /**
   * Decrypts the text. Throws if the text was changed, or was encrypted with another key or another context.
   */
  open(sealed: string, context: SecretContext): string | Promise<string>;
  /**
   * Ids of the keys that it opens with, at most 16, the one that seals first; default: unknown. `secrets.reseal` needs
   * it, and `keyIdOf`.
   */
  readonly keyIds?: readonly string[] | undefined;
  /** Returns the id of the key that sealed the text; null if the text does not say. Must not ask a service. */
  readonly keyIdOf?: ((sealed: string) => string | null) | undefined;
}

/** The keys of a secret box that names them. */
export interface SealingKeys {
  readonly keyIds: readonly [string, ...string[]];
  readonly keyIdOf: (sealed: string) => string | null;
}

/** The secret box of a process, with what it has opened. */
export interface GuardedSecretBox extends SecretBox {
  /** Forgets what it has opened for an API key, except these sealed texts. */
  keepOnly?(keyId: KeyId, valid: readonly string[]): void;
  /** Since when a signing secret cannot be opened. Null if none failed in the last minutes. */
  failingSince?(): Instant | null;
}

/** One POST to a partner's endpoint. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends webhooks. */
export interface WebhookTransport {
  /**
   * Sends the request and returns failures as outcomes. It must not follow redirects. The worker stops
   * waiting after 5 to 8 minutes.
   * @throws NetworkUnavailable only if this machine cannot reach any server. The attempt is then not
   *   counted.
   */
  post(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Waits for running attempts. When the signal aborts, it aborts them. */
  close(giveUp?: AbortSignal): Promise<void>;
}
