import type { InboxEntry, KeyId, Repositories, UnreadEntry } from '@partner-hiring/core/ports';

const KEY: KeyId = 'key_1';
const ENTRY: InboxEntry = { applicationId: 'ej_app_1', keyId: KEY, at: 5, kind: 'resume.failed' };
const UNREAD: UnreadEntry = { ...ENTRY, isRetry: true, isBehind: false, failures: 1, firstFailureAt: 5 };
const NEW: UnreadEntry = { ...UNREAD, isRetry: false };

/** A query of the inbox, and how many statements it runs. */
export type InboxQuery = readonly [
  name: string,
  run: (r: Repositories) => Promise<unknown>,
  statements: number,
];

/** The queries of the inbox that must find their rows by an index, however long the inbox is. */
export const INBOX_QUERIES: readonly InboxQuery[] = [
  ['finding keys', (r) => r.inbox.findKeys(9), 2],
  ['claiming', (r) => r.inbox.claim({ keyIds: [KEY], now: 9, limit: 9 }), 3],
  ['claiming again', (r) => r.inbox.claimAgain([UNREAD], 9), 2],
  ['leasing', (r) => r.inbox.lease({ keyIds: [KEY], now: 9, limit: 9, forMs: 9 }), 3],
  ['finishing', (r) => r.inbox.finish([UNREAD, NEW], 9), 5],
  ['acknowledging', (r) => r.inbox.acknowledge([NEW], 9), 2],
  ['postponing', (r) => r.inbox.postpone([{ ...NEW, retryAt: 9, parkedAt: null, lastError: null }]), 2],
  ['listing parked entries', (r) => r.inbox.listParked(9, null), 1],
  ['listing more parked entries', (r) => r.inbox.listParked(9, ENTRY), 1],
  ['finding an entry', (r) => r.inbox.findEntry({ keyId: KEY, applicationId: 'ej_app_1', from: 5 }), 2],
];

/** Makes a claim go on after it has locked a head. */
export function answerWithHead(sql: string): readonly unknown[] {
  return /^select .*ph_inbox_head/.test(sql) || sql.includes('for no key update')
    ? [{ key_id: KEY, position: 5 }]
    : [];
}
