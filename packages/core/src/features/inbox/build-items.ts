import type { ApplicationRecord } from '../../domain/application.js';
import { warningsOf } from '../../domain/application-warnings.js';
import { emailKey } from '../../domain/email-address.js';
import type { PartnerOfKey } from '../../domain/failing-endpoint.js';
import type { KeyId } from '../../domain/ids.js';
import type { Repositories } from '../../ports/storage.js';
import { type InboxEntry, type InboxItem, inboxItemId, isErasure } from './rules.js';

type Reading = Pick<Repositories, 'applications' | 'candidates' | 'keys' | 'partners'>;

export type BuildItems = (read: Reading, entries: readonly InboxEntry[]) => Promise<readonly InboxItem[]>;

/** Limits the memory of many keys. */
const MOST_SENDERS = 10_000;

/**
 * Builds the items of entries from the stored applications. An erasure of these applications waits until the
 * transaction ends, and this function waits for an erasure in progress. For erased candidates, builds only the items
 * `candidate.erased`. Omits applications that no longer exist.
 */
export function createItemBuilder(): BuildItems {
  const senders = new Map<KeyId, PartnerOfKey>();

  async function learnSenders(read: Reading, entries: readonly InboxEntry[]): Promise<void> {
    if (senders.size > MOST_SENDERS) senders.clear();
    const keyIds = new Set(entries.map(({ keyId }) => keyId));
    for (const keyId of keyIds) {
      const sender = senders.get(keyId) ?? (await findSender(read, keyId));
      if (sender !== null) senders.set(keyId, sender);
    }
  }

  return async (read, entries) => {
    const others = entries.filter((entry) => !isErasure(entry));
    const ids = [...new Set(others.map(({ applicationId }) => applicationId))];
    const [found] = await Promise.all([read.applications.findKept(ids), learnSenders(read, entries)]);
    const byId = new Map(ids.map((id, index) => [id, found[index] ?? null]));
    const stored = found.flatMap((each) => (each?.erasedAt === null ? [each] : []));
    const byEmail = await findByEmails(read, stored);
    return entries.flatMap((entry): readonly InboxItem[] => {
      const { applicationId, kind, at, keyId, change } = entry;
      const sender = senders.get(keyId);
      if (sender === undefined) return [];
      const header = { id: inboxItemId(entry), at, applicationId, keyId, ...sender };
      if (kind === 'candidate.erased') return [{ ...header, kind }];
      const application = byId.get(applicationId) ?? null;
      if (application === null || application.erasedAt !== null) return [];
      const warnings = warningsOf(application, byEmail.get(emailKey(application.candidate.email)) ?? []);
      if (kind !== 'application.changed') return [{ ...header, kind, application, warnings }];
      return change ? [{ ...header, kind, application, warnings, change }] : [];
    });
  };
}

/** Limits the cost of an e-mail address with very many applications. */
const EMAIL_PAGE = 200;
const MOST_EMAIL_PAGES = 5;

/** Finds the applications of each address, by its key. */
async function findByEmails(
  read: Reading,
  applications: readonly ApplicationRecord[],
): Promise<ReadonlyMap<string, readonly ApplicationRecord[]>> {
  const emails = new Map(applications.map(({ candidate: { email } }) => [emailKey(email), email]));
  const found = new Map<string, readonly ApplicationRecord[]>();
  for (const [key, email] of emails) found.set(key, await findByEmail(read, email));
  return found;
}

async function findByEmail({ candidates }: Reading, email: string): Promise<readonly ApplicationRecord[]> {
  const all: ApplicationRecord[] = [];
  for (let page = 0; page < MOST_EMAIL_PAGES; page += 1) {
    const found = await candidates.listByEmail(email, { after: all.at(-1)?.id ?? null, limit: EMAIL_PAGE });
    all.push(...found);
    if (found.length < EMAIL_PAGE) break;
  }
  return all;
}

async function findSender({ keys, partners }: Reading, keyId: KeyId): Promise<PartnerOfKey | null> {
  const key = await keys.find(keyId);
  const partner = key === null ? null : await partners.find(key.partnerId);
  if (key === null || partner === null) return null;
  return { partnerId: partner.id, partnerName: partner.name, environment: key.environment };
}
