import type { InboxEntry, PostponedEntry, UnreadEntry } from '@partner-hiring/core/ports';
import { byIndex, KEY, type PlannedQuery } from './planned-query.js';

const ENTRY: InboxEntry = { applicationId: 'ej_app_1', keyId: KEY, at: 5, kind: 'resume.failed' };
const UNREAD: UnreadEntry = { ...ENTRY, isRetry: true, isBehind: false, failures: 1, firstFailureAt: 5 };
const NEW: UnreadEntry = { ...UNREAD, isRetry: false };
const ERASURE: UnreadEntry = { ...UNREAD, kind: 'candidate.erased' };
const CLAIM = { keyIds: [KEY], now: 9, limit: 9 };

function postponed(entry: UnreadEntry): PostponedEntry {
  return { ...entry, retryAt: 9, parkedAt: null, lastError: null };
}

/** Makes a claim go on after it has locked a head. */
export function answerWithHead(sql: string): readonly unknown[] {
  return /^select .*ph_inbox_head/.test(sql) || sql.includes('for no key update')
    ? [{ key_id: KEY, position: 5 }]
    : [];
}

/** The queries of the inbox, which may be long. */
export const QUERIES: readonly PlannedQuery[] = [
  byIndex('finding keys', (r) => r.inbox.findKeys(9), { statements: 3 }),
  byIndex('claiming', (r) => r.inbox.claim(CLAIM), { statements: 4 }),
  byIndex('claiming again', (r) => r.inbox.claimAgain([UNREAD, ERASURE], 9), { statements: 3 }),
  byIndex('leasing', (r) => r.inbox.lease({ ...CLAIM, forMs: 9 }), { statements: 4 }),
  byIndex('locking heads', (r) => r.inbox.lockHeads([KEY])),
  byIndex('recording erasures', (r) => r.inbox.addErasures([ERASURE])),
  byIndex('finding erasures', (r) => r.inbox.findErasures([ERASURE])),
  byIndex('dropping entries', (r) => r.inbox.drop([{ keyId: KEY, applicationId: 'ej_app_1', from: 5 }])),
  byIndex('finishing', (r) => r.inbox.finish([UNREAD, NEW, ERASURE], 9), { statements: 6 }),
  byIndex('acknowledging', (r) => r.inbox.acknowledge([NEW, ERASURE], 9), { statements: 4 }),
  byIndex('postponing', (r) => r.inbox.postpone([postponed(NEW), postponed(ERASURE)]), { statements: 3 }),
  byIndex('listing parked entries', (r) => r.inbox.listRefused(true, 9, null), { statements: 2 }),
  byIndex('listing more parked entries', (r) => r.inbox.listRefused(true, 9, ENTRY), { statements: 2 }),
  byIndex('noting refusals', (r) => r.inbox.noteRefused([postponed(NEW), postponed(ERASURE)]), {
    statements: 2,
  }),
  byIndex('listing refused entries', (r) => r.inbox.listRefused(false, 9, null), { statements: 2 }),
  byIndex('listing more refused entries', (r) => r.inbox.listRefused(false, 9, ENTRY), { statements: 2 }),
  byIndex('finding an entry', (r) => r.inbox.findEntry({ keyId: KEY, applicationId: 'ej_app_1', from: 5 }), {
    statements: 2,
  }),
].map((query) => ({ ...query, answer: answerWithHead }));
