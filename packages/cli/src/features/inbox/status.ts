import { INBOX_IS_OFF } from '@partner-hiring/core';
import { atMost, MOST_COUNTED, plural } from '../../doctor/checks/words.js';
import { ONE_DAY_MS } from '../../doctor/limits.js';
import { type FoundStatus, type StatusPart, WAITING_MS } from '../../report/status-part.js';

/** Counts the inbox items that the platform has not received. */
export const inboxStatus: StatusPart = {
  line: inboxLine,
  waits: [
    {
      name: 'inbox',
      limitMs: WAITING_MS,
      since: ({ inbox }) => (inbox.isOn ? inbox.oldestUnreadAt : null),
      finding: (duration) => `The oldest item of the inbox has waited for ${duration}.`,
      fix: 'If a worker runs, your function `receive` rejects or is slow: its log has the error.',
    },
  ],
  needs: async ({ status: { inbox } }) => {
    const { parked, isExact } = inbox;
    if (parked === 0) return [];
    const count = plural(parked, 'item of the inbox is', 'items of the inbox are');
    const finding = `${isExact ? '' : 'At least '}${count} parked, because the host refused them for a day.`;
    const fix = 'Read the errors with `inbox list`, fix the cause, and run `inbox retry-all`.';
    return [{ name: 'inbox-parked', finding, fix }];
  },
};

/** A host that erases while the inbox is off is reminded for so long. */
const ERASED_MS = 30 * ONE_DAY_MS;

async function inboxLine({ operator, status: { at, inbox } }: FoundStatus): Promise<string> {
  const { isOn, unread, parked, isExact } = inbox;
  if (isOn) return `Inbox: ${unread} unread, ${parked} parked${isExact ? '' : ', or more'}.`;
  const erased = await operator.applications.list({ erasedSince: at - ERASED_MS, limit: MOST_COUNTED });
  const count = erased.nextCursor === null ? erased.items.length : MOST_COUNTED + 1;
  if (count === 0) return 'Inbox: off.';
  const were = `${atMost(count)} ${count === 1 ? 'application was' : 'applications were'}`;
  return `${INBOX_IS_OFF} ${were} erased in the last 30 days: see \`applications list --erased-since 30d\`.`;
}
