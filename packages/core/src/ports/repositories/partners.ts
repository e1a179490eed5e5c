import type { KeyId, PartnerId } from '../../domain/ids.js';
import type { KeySecret, Partner, PartnerKey } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';

/** `exists`: a unique constraint refused the insert. */
export type Added = 'added' | 'exists';

/** Stores partners. */
export interface PartnerRepository {
  add(partner: Partner): Promise<Added>;
  find(id: PartnerId): Promise<Partner | null>;
  list(): Promise<readonly Partner[]>;
}

/** A secret and its key. */
export interface KeyOfSecret {
  readonly key: PartnerKey;
  readonly secret: KeySecret;
  /** The caller checks the expiry at this instant. */
  readonly readAt: Instant;
}

/** Stores keys and the hashes of their secrets. */
export interface KeyRepository {
  /** Adds a key and its feed head, which starts at `createdAt`. A partner has one key per environment. */
  add(key: PartnerKey): Promise<Added>;
  find(id: KeyId): Promise<PartnerKey | null>;
  /** Locks the row until the transaction ends, to serialize commands on a key. */
  findForUpdate(id: KeyId): Promise<PartnerKey | null>;
  /** Production first. Null means all partners. */
  list(partnerId: PartnerId | null): Promise<readonly PartnerKey[]>;
  addSecret(secret: KeySecret): Promise<void>;
  /** Replaces `expiresAt` and `revokedAt`. */
  saveSecrets(secrets: readonly KeySecret[]): Promise<void>;
  /** Newest first, including ended secrets. */
  listSecrets(keyId: KeyId): Promise<readonly KeySecret[]>;
  /** Includes ended secrets. */
  findByHashes(hashes: readonly string[]): Promise<readonly (KeyOfSecret | null)[]>;
  /** Skips locked rows, and need not survive a power failure. */
  touchSecrets(hashes: readonly string[], at: Instant): Promise<void>;
}
