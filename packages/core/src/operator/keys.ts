import type { KeyId, PartnerId } from '../domain/ids.js';
import type { Environment, PartnerKey } from '../domain/partner-key.js';
import type { KeyView, SecretView } from './keys/key-view.js';

/** A key to issue. */
export interface NewKey {
  readonly partnerId: PartnerId;
  readonly environment: Environment;
  /** Where its events go; the endpoint can be set later too. */
  readonly endpointUrl?: string;
}

/** A key that was issued. Its secrets are shown here and never again. */
export interface IssuedKey {
  readonly key: PartnerKey;
  /** What the partner sends as `Authorization: Bearer`. */
  readonly secret: string;
  /** Null if no `endpointUrl` was given. */
  readonly endpoint: { readonly url: string; readonly signingSecret: string } | null;
}

/** A rotation of a key's secret. */
export interface KeyRotation {
  readonly keyId: KeyId;
  /** How long the replaced secrets work on, in milliseconds: 0 to 7 days, 24 hours if it is left out. */
  readonly overlapMs?: number;
}

/** What a rotation brought. */
export interface RotatedKey {
  /** The new secret, shown here and never again. */
  readonly secret: string;
}

/** Which secrets of a key to revoke: those that end so, the one with this SHA-256 (hex), or all. */
export type KeyRevocation =
  | { readonly keyId: KeyId; readonly secretLastFour: string }
  | { readonly keyId: KeyId; readonly hash: string }
  | { readonly keyId: KeyId; readonly all: true };

/** What a revocation ended. Empty if everything it named was revoked before. */
export interface RevokedSecrets {
  readonly revoked: readonly SecretView[];
}

/** The keys that partners call with, one for each world, and the secrets that open them. */
export interface KeyCommands {
  /**
   * Issues a key. Where the host has switched `sandbox` on, a sandbox key gets companies and jobs of its own in
   * the same commit.
   *
   * @throws OperatorError `INVALID_INPUT`, `PARTNER_NOT_FOUND`, or `KEY_EXISTS` if the partner has a key in
   *   that world: then rotate it.
   */
  issue(key: NewKey): Promise<IssuedKey>;
  /**
   * Makes a new secret; those it replaces work on for the overlap, never longer than they would have.
   *
   * @throws OperatorError `INVALID_INPUT` or `KEY_NOT_FOUND`.
   */
  rotate(rotation: KeyRotation): Promise<RotatedKey>;
  /**
   * Ends secrets at once: the very next request that carries one is refused.
   *
   * @throws OperatorError `INVALID_INPUT`, `KEY_NOT_FOUND`, or `SECRET_NOT_FOUND` if the key has no such one.
   */
  revoke(revocation: KeyRevocation): Promise<RevokedSecrets>;
  /** The key, with how each secret can be recognised; or null. */
  find(key: { readonly keyId: KeyId }): Promise<KeyView | null>;
  /** A partner's keys, or all, with how each secret can be recognised: never a secret or its hash. */
  list(filter?: { readonly partnerId?: PartnerId }): Promise<readonly KeyView[]>;
}
