import type { KeyId, PartnerId } from '../domain/ids.js';
import type { PartnerKey } from '../domain/partner-key.js';
import type { Instant } from '../domain/time.js';
import type { KeyPosition } from '../ports/repositories/partners.js';
import type { Repositories } from '../ports/storage.js';
import { type SecretView, viewSecret } from './key-secrets.js';
import { labelKey } from './names.js';
import { definePageCursors, isCursorId, type Page, type PageOptions, readPage } from './page-cursor.js';

/** A key with its secrets. The newest secret comes first. */
export interface KeyView {
  readonly key: PartnerKey;
  readonly partnerName: string;
  /** The partner's name with the environment of the key, such as `Acme ATS (production)`. */
  readonly label: string;
  readonly secrets: readonly SecretView[];
}

/** Selects keys. */
export interface KeyFilter extends PageOptions {
  readonly partnerId?: PartnerId | undefined;
}

const CURSORS = definePageCursors<KeyPosition>({
  list: 'keys',
  valuesOf: ({ partnerId, environment }) => [partnerId, environment],
  positionOf: ([partnerId, environment]) =>
    isCursorId<PartnerId>(partnerId) && (environment === 'production' || environment === 'sandbox')
      ? { partnerId, environment }
      : null,
});

export async function listKeyViews(
  read: Repositories,
  { partnerId: asked, ...page }: KeyFilter,
  now: Instant,
): Promise<Page<KeyView>> {
  const partnerId = asked ?? null;
  const { items: rows, nextCursor } = await readPage(CURSORS, [partnerId], page, (start) =>
    read.keys.list(partnerId, start),
  );
  return { items: await viewKeys(read, rows, now), nextCursor };
}

export async function findKeyView(read: Repositories, id: KeyId, now: Instant): Promise<KeyView | null> {
  const key = await read.keys.find(id);
  return key === null ? null : ((await viewKeys(read, [key], now))[0] ?? null);
}

async function viewKeys(
  { keys, names }: Repositories,
  found: readonly PartnerKey[],
  now: Instant,
): Promise<readonly KeyView[]> {
  const ids = found.map(({ id }) => id);
  const [secrets, owners] = [await keys.listSecretsEach(ids), await names.ofKeys(ids)];
  return found.map((key, index) => {
    const partnerName = owners[index]?.partnerName ?? key.partnerId;
    const own = secrets[index] ?? [];
    return {
      key,
      partnerName,
      label: labelKey(partnerName, key.environment),
      secrets: own.map((secret) => viewSecret(secret, now)),
    };
  });
}
