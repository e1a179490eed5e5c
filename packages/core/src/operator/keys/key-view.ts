import type { KeyId, PartnerId } from '../../domain/ids.js';
import type { KeySecret, PartnerKey } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import type { Repositories } from '../../ports/storage.js';

/** Whether a secret opens its key: `replaced` ones do until they expire. */
export type SecretState = 'current' | 'replaced' | 'expired' | 'revoked';

/** What an operator may know of a secret: enough to recognise it, nothing to use it. */
export interface SecretView extends Omit<KeySecret, 'hash' | 'keyId'> {
  readonly state: SecretState;
}

/** A key and its secrets, newest first. */
export interface KeyView {
  readonly key: PartnerKey;
  readonly secrets: readonly SecretView[];
}

/** The keys of a partner, or all with null, as they stand `now`. */
export async function listKeyViews(
  read: Repositories,
  partnerId: PartnerId | null,
  now: Instant,
): Promise<readonly KeyView[]> {
  const keys = await read.keys.list(partnerId);
  return Promise.all(keys.map((key) => viewKey(read, key, now)));
}

/** The key, or null, as it stands `now`. */
export async function findKeyView(read: Repositories, id: KeyId, now: Instant): Promise<KeyView | null> {
  const key = await read.keys.find(id);
  return key === null ? null : viewKey(read, key, now);
}

async function viewKey({ keys }: Repositories, key: PartnerKey, now: Instant): Promise<KeyView> {
  const secrets = await keys.listSecrets(key.id);
  return { key, secrets: secrets.map((secret) => viewSecret(secret, now)) };
}

/** A secret as an operator may see it. */
export function viewSecret(secret: KeySecret, now: Instant): SecretView {
  const { prefix, lastFour, createdAt, lastUsedAt, expiresAt, revokedAt } = secret;
  return { prefix, lastFour, createdAt, lastUsedAt, expiresAt, revokedAt, state: stateOf(secret, now) };
}

function stateOf({ expiresAt, revokedAt }: KeySecret, now: Instant): SecretState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'current';
  return now < expiresAt ? 'replaced' : 'expired';
}
