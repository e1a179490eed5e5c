import type { KeyId, PartnerId } from '../../domain/ids.js';
import type { KeySecret, Partner, PartnerKey } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';

/** The result of an insert: `exists` if a unique constraint refused it. */
export type Added = 'added' | 'exists';

/** Stores partners. */
export interface PartnerRepository {
  add(partner: Partner): Promise<Added>;
  find(id: PartnerId): Promise<Partner | null>;
  /** Lists all partners, oldest first. */
  list(): Promise<readonly Partner[]>;
}

/** A secret and its key. */
export interface KeyOfSecret {
  readonly key: PartnerKey;
  readonly secret: KeySecret;
  /** When the storage read it, on the storage's clock. The caller checks the expiry against this instant. */
  readonly readAt: Instant;
}

/** Stores keys and the hashes of their secrets. */
export interface KeyRepository {
  /**
   * Adds a key and its feed head, which starts at `createdAt`. Returns `exists` if the partner already has a key in
   * this environment.
   */
  add(key: PartnerKey): Promise<Added>;
  find(id: KeyId): Promise<PartnerKey | null>;
  /**
   * Like `find`, but locks the row until the transaction ends. Serializes commands on a key's secrets and endpoint.
   */
  findForUpdate(id: KeyId): Promise<PartnerKey | null>;
  /** Lists the keys of a partner, or of all with null, production first. */
  list(partnerId: PartnerId | null): Promise<readonly PartnerKey[]>;
  addSecret(secret: KeySecret): Promise<void>;
  /** Replaces `expiresAt` and `revokedAt` of the secrets with these hashes. */
  saveSecrets(secrets: readonly KeySecret[]): Promise<void>;
  /** Lists a key's secrets, newest first, including ended ones. */
  listSecrets(keyId: KeyId): Promise<readonly KeySecret[]>;
  /** Returns each secret and its key, even if it has ended, or null. */
  findByHashes(hashes: readonly string[]): Promise<readonly (KeyOfSecret | null)[]>;
  /**
   * Records when secrets were used. Need not survive a power failure. Does not wait for locks: skips a row that
   * another transaction is changing.
   */
  touchSecrets(hashes: readonly string[], at: Instant): Promise<void>;
}
