import type { KeyId, PartnerId } from '../domain/ids.js';
import { type InboxEntry, type InboxItem, inboxItemId } from '../domain/inbox.js';
import type { Environment } from '../domain/partner-key.js';
import type { Repositories } from '../ports/storage.js';

type Reading = Pick<Repositories, 'applications' | 'keys' | 'partners'>;

/** Who submitted through a key. It never changes. */
interface Sender {
  readonly partnerId: PartnerId;
  readonly partnerName: string;
  readonly environment: Environment;
}

export type BuildItems = (read: Reading, entries: readonly InboxEntry[]) => Promise<readonly InboxItem[]>;

/** Limits the memory of many keys. */
const MOST_SENDERS = 10_000;

/** Builds the items of entries from the stored applications. Omits applications that no longer exist, and
 * those whose candidates were erased. */
export function createItemBuilder(): BuildItems {
  const senders = new Map<KeyId, Sender>();

  async function learnSenders(read: Reading, entries: readonly InboxEntry[]): Promise<void> {
    if (senders.size > MOST_SENDERS) senders.clear();
    const keyIds = new Set(entries.map(({ keyId }) => keyId));
    for (const keyId of keyIds) {
      const sender = senders.get(keyId) ?? (await findSender(read, keyId));
      if (sender !== null) senders.set(keyId, sender);
    }
  }

  return async (read, entries) => {
    const ids = [...new Set(entries.map(({ applicationId }) => applicationId))];
    const [found] = await Promise.all([read.applications.find(ids), learnSenders(read, entries)]);
    const byId = new Map(ids.map((id, index) => [id, found[index] ?? null]));
    return entries.flatMap((entry) => {
      const application = byId.get(entry.applicationId) ?? null;
      const sender = senders.get(entry.keyId);
      if (application === null || application.erasedAt !== null || sender === undefined) return [];
      const { kind, at, keyId } = entry;
      return [{ id: inboxItemId(entry), kind, at, keyId, ...sender, application }];
    });
  };
}

async function findSender({ keys, partners }: Reading, keyId: KeyId): Promise<Sender | null> {
  const key = await keys.find(keyId);
  const partner = key === null ? null : await partners.find(key.partnerId);
  if (key === null || partner === null) return null;
  return { partnerId: partner.id, partnerName: partner.name, environment: key.environment };
}
