import type { Page } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import type { Screen, ScreenCall } from '../../http/screen.js';
import type { ConsoleRight } from '../../rights.js';
import { defineList, type ListDeclaration } from '../parts/define-list.js';

/** What waits in a queue. `since` is null if the queue does not begin with the longest wait. */
export interface Waiting {
  readonly count: number;
  readonly isExact: boolean;
  readonly since: number | null;
}

/** A queue of the overview, with the page that lists it. */
export interface WaitingQueue {
  readonly label: string;
  readonly right: ConsoleRight;
  /** Whether an actor for some partners sees it too. */
  readonly isForSome: boolean;
  href(call: ScreenCall): string | null;
  read(gate: Gate): Promise<Waiting>;
  /** The page that lists it. Not set if another screen has it. */
  readonly pages?: Screen['pages'];
}

/** What is read of a queue to count it. Counting stops at the limit. */
export const COUNTED = { limit: 100 } as const;

/** The first row of a list that begins with the longest wait says since when. */
export function toWaiting<Row>({ items, nextCursor }: Page<Row>, sinceOf?: (row: Row) => number): Waiting {
  const [first] = items;
  const since = first === undefined || sinceOf === undefined ? null : sinceOf(first);
  return { count: items.length, isExact: nextCursor === null, since };
}

/** Returns the queue of a list of all partners, with its page. */
export function queueOf<Row>(
  list: ListDeclaration<Row>,
  queue: Pick<WaitingQueue, 'right' | 'read'> & Partial<WaitingQueue>,
): WaitingQueue {
  const page = { href: (call: ScreenCall) => call.at(list.path), pages: { [list.path]: defineList(list) } };
  return { label: list.title, isForSome: false, ...page, ...queue };
}
