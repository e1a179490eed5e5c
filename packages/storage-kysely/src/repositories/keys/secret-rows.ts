import type { Instant, KeyOfSecret, KeySecret } from '@partner-hiring/core/ports';
import type { KeySecretTable, PartnerKeyTable } from '../../schema.js';

/** A secret as a row. */
export function fromSecret(secret: KeySecret): KeySecretTable {
  return {
    hash: secret.hash,
    key_id: secret.keyId,
    prefix: secret.prefix,
    last_four: secret.lastFour,
    created_at: secret.createdAt,
    last_used_at: secret.lastUsedAt,
    expires_at: secret.expiresAt,
    revoked_at: secret.revokedAt,
  };
}

/** A row as a secret. */
export function toSecret(row: KeySecretTable): KeySecret {
  return {
    keyId: row.key_id,
    hash: row.hash,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

/** A secret with its key, as they are found together. */
export type KeyOfSecretRow = KeySecretTable &
  Pick<PartnerKeyTable, 'partner_id' | 'world'> & {
    readonly key_created_at: Instant;
    readonly read_at: Instant;
  };

/** A row as a secret with its key. */
export function toKeyOfSecret(row: KeyOfSecretRow): KeyOfSecret {
  const { key_id: id, partner_id: partnerId, world: environment, key_created_at: createdAt } = row;
  return { key: { id, partnerId, environment, createdAt }, secret: toSecret(row), readAt: row.read_at };
}
