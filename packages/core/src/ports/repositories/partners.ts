import type { KeyId, PartnerId } from '../../domain/ids.js';
import type { KeySecret, Partner, PartnerKey } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';

/** What became of an insert that a unique constraint may refuse. */
export type Added = 'added' | 'exists';

/** Who was let in. */
export interface PartnerRepository {
  add(partner: Partner): Promise<Added>;
  find(id: PartnerId): Promise<Partner | null>;
  /** All partners, oldest first. */
  list(): Promise<readonly Partner[]>;
}

/** A secret with the key it opens. */
export interface KeyOfSecret {
  readonly key: PartnerKey;
  readonly secret: KeySecret;
  /** When the storage read it, on the storage's clock. Whether the secret has expired is judged at this instant. */
  readonly readAt: Instant;
}

/** Keys, and what is kept of their secrets. */
export interface KeyRepository {
  /** Adds a key and its feed head, which starts at `createdAt`. `exists`: the partner has one in that world. */
  add(key: PartnerKey): Promise<Added>;
  find(id: KeyId): Promise<PartnerKey | null>;
  /** The same, locked until the transaction ends: commands about a key's secrets or endpoint take turns. */
  findForUpdate(id: KeyId): Promise<PartnerKey | null>;
  /** The partner's keys, production first; all partners' with null. */
  list(partnerId: PartnerId | null): Promise<readonly PartnerKey[]>;
  addSecret(secret: KeySecret): Promise<void>;
  /** Replaces `expiresAt` and `revokedAt` of the secrets with these hashes. */
  saveSecrets(secrets: readonly KeySecret[]): Promise<void>;
  /** The secrets of a key, newest first, ended ones included. */
  listSecrets(keyId: KeyId): Promise<readonly KeySecret[]>;
  /** For each hash the secret and its key, whether usable or not, or null. */
  findByHashes(hashes: readonly string[]): Promise<readonly (KeyOfSecret | null)[]>;
  /**
   * Notes the use of secrets; not durable against a power failure, and need not be. Waits for nobody: the use of one
   * that another transaction is changing is not noted.
   */
  touchSecrets(hashes: readonly string[], at: Instant): Promise<void>;
}
