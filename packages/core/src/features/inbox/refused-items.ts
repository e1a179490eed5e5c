import type { InboxItemId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import { type KeyNames, withKeyNames } from '../../operator/names.js';
import { definePageCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import type { Repositories } from '../../ports/storage.js';
import type { RefusedPosition } from './repository.js';
import { inboxItemId, type ListedEntry } from './rules.js';

/** An item that the host has refused, and has not received since. */
export interface RefusedItem extends KeyNames, Omit<ListedEntry, 'isRetry' | 'isBehind' | 'change'> {
  readonly id: InboxItemId;
  /** When it is handed over again; null if it is parked, or is handed over again with the new items. */
  readonly retryAt: Instant | null;
}

export const REFUSED_STATES = ['refused', 'parked'] as const;

/** Selects refused items. */
export interface RefusedFilter extends PageOptions {
  /** `refused`: all that the host refused, parked ones too; `parked`: only those set aside; default: `refused`. */
  readonly state?: (typeof REFUSED_STATES)[number] | undefined;
}

const POSITION = { keyId: 'id', at: 'number', applicationId: 'id' } as const;

const CURSORS = {
  parked: definePageCursors<RefusedPosition>('parked inbox items', POSITION),
  refused: definePageCursors<RefusedPosition>('refused inbox items', POSITION),
};

export async function listRefused(
  read: Repositories,
  { state = 'refused', ...asked }: RefusedFilter,
): Promise<Page<RefusedItem>> {
  const { items: rows, nextCursor } = await readPage(CURSORS[state], [], asked, (page) =>
    read.inbox.listRefused(state === 'parked', page.limit, page.after),
  );
  const items = rows.map(({ isRetry: _, isBehind: __, change: ___, retryAt, ...entry }) => ({
    id: inboxItemId(entry),
    ...entry,
    retryAt: entry.parkedAt === null ? retryAt : null,
  }));
  return { items: await withKeyNames(read, items), nextCursor };
}
