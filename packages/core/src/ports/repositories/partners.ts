import type { KeyId, PartnerId } from '../../domain/ids.js';
import type { KeySecret, Partner, PartnerKey } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';

/** `exists`: a unique constraint refused the insert. */
export type Added = 'added' | 'exists';

/** Stores partners. */
export interface PartnerRepository {
  add(partner: Partner): Promise<Added>;
  find(id: PartnerId): Promise<Partner | null>;
  /** Lists partners, oldest first. */
  list(): Promise<readonly Partner[]>;
}

/** A secret and its key. */
export interface KeyOfSecret {
  readonly key: PartnerKey;
  readonly secret: KeySecret;
  /** When the storage read it. The caller checks the expiry at this instant. */
  readonly readAt: Instant;
}

/** Stores keys and the hashes of their secrets. */
export interface KeyRepository {
  /**
   * Adds a key and its feed head, which starts at `createdAt`. `exists`: the partner has a key in this environment.
   */
  add(key: PartnerKey): Promise<Added>;
  find(id: KeyId): Promise<PartnerKey | null>;
  /** Locks the row until the transaction ends, to serialize commands on a key. */
  findForUpdate(id: KeyId): Promise<PartnerKey | null>;
  /** Lists keys, production first. Null means all partners. */
  list(partnerId: PartnerId | null): Promise<readonly PartnerKey[]>;
  addSecret(secret: KeySecret): Promise<void>;
  /** Replaces `expiresAt` and `revokedAt`. */
  saveSecrets(secrets: readonly KeySecret[]): Promise<void>;
  /** Lists newest first, including ended secrets. */
  listSecrets(keyId: KeyId): Promise<readonly KeySecret[]>;
  /** Finds secrets and their keys, even ended ones. */
  findByHashes(hashes: readonly string[]): Promise<readonly (KeyOfSecret | null)[]>;
  /** Records when secrets were used. Skips locked rows, and need not survive a power failure. */
  touchSecrets(hashes: readonly string[], at: Instant): Promise<void>;
}
