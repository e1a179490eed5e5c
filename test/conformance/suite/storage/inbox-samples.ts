import type {
  InboxEntry,
  Instant,
  KeyId,
  PostponedEntry,
  Repositories,
  UnreadEntry,
} from '@partner-hiring/core/ports';
import { KEY_ID, OTHER_KEY_ID, sampleApplication, seed, T0 } from './samples.js';
import type { Opened } from './storage-under-test.js';

/** The instant of a retry that never comes. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** The keys whose entries the tests add. */
export const KEYS = [KEY_ID, OTHER_KEY_ID];

/** Turns the inbox on and adds entries. */
export async function prepare(direct: Repositories, entries: readonly InboxEntry[]): Promise<void> {
  await seed(direct);
  await direct.inbox.turn(true);
  await direct.inbox.add(entries);
  await direct.inbox.addHeads(KEYS);
}

/** Claims entries of the keys, of both by default. */
export async function claim<HostTx>(
  { direct }: Opened<HostTx>,
  { keyIds = KEYS, now = T0, limit = 99 }: { keyIds?: readonly KeyId[]; now?: Instant; limit?: number } = {},
): Promise<readonly UnreadEntry[]> {
  await direct.inbox.addHeads(keyIds);
  return direct.inbox.claim({ keyIds, now, limit });
}

/** An entry of an application. */
export function entry(
  number: number,
  at: Instant,
  keyId: KeyId = KEY_ID,
  kind: InboxEntry['kind'] = 'application.submitted',
): InboxEntry {
  return { ...keyOf(number, at), keyId, kind };
}

/** The erasure of an application. */
export function erasure(number: number, at: Instant) {
  return { ...keyOf(number, at), keyId: KEY_ID };
}

/** The application and the stamp of an entry. */
export function keyOf(number: number, at: Instant) {
  return { applicationId: sampleApplication(number, at).id, at };
}

/** An entry that the host refused. */
export function postponed(
  unread: UnreadEntry | undefined,
  retryAt: Instant,
  changes: Partial<PostponedEntry> = {},
): PostponedEntry {
  if (unread === undefined) throw new Error('No entry was claimed.');
  return { ...unread, retryAt, parkedAt: null, lastError: null, ...changes };
}

/** The numbers of the applications of entries. */
export function idsOf(entries: readonly UnreadEntry[]): readonly number[] {
  return entries.map(({ applicationId }) => Number(applicationId.replace(/^ej_app_0*/, '')));
}
