import { INBOX_IS_OFF, type SystemStatus } from '@partner-hiring/core';
import type { AnyOperator } from '../../command/command.js';
import { atMost, MOST_COUNTED } from '../../doctor/checks/words.js';
import { ONE_DAY_MS } from '../../doctor/limits.js';

/** A host that erases while the inbox is off is reminded for so long. */
const ERASED_MS = 30 * ONE_DAY_MS;

/** Counts the inbox items that the platform has not received. */
export async function inboxLine(operator: AnyOperator, { at, inbox }: SystemStatus): Promise<string> {
  const { isOn, unread, parked, isExact } = inbox;
  if (isOn) return `Inbox: ${unread} unread, ${parked} parked${isExact ? '' : ', or more'}.`;
  const erased = await operator.applications.list({ erasedSince: at - ERASED_MS, limit: MOST_COUNTED });
  const count = erased.nextCursor === null ? erased.items.length : MOST_COUNTED + 1;
  if (count === 0) return 'Inbox: off.';
  const were = `${atMost(count)} ${count === 1 ? 'application was' : 'applications were'}`;
  return `${INBOX_IS_OFF} ${were} erased in the last 30 days: see \`applications list --erased-since 30d\`.`;
}
