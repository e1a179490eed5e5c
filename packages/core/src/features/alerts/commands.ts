import type { SentAlert } from '../../domain/alert.js';
import { onHost } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { page } from '../../operator/command/fields.js';
import { filter } from '../../operator/command/input.js';
import { type KeyNames, withKeyNames } from '../../operator/names.js';
import { definePageCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import type { Repositories } from '../../ports/storage.js';
import type { SentPosition } from './repository.js';

/** A sent alert with the partner of its key. */
export interface ListedAlert extends SentAlert {
  /** Null for an alert about no key. */
  readonly partner: KeyNames | null;
}

/** Reads which alerts the host got. */
export interface AlertCommands {
  /**
   * Returns a page of the alerts of the last 30 days that your function `alert` has accepted, the last one first, 100 by
   * default. An alert that it has not accepted yet is among `alerts.open`, if it waits for an hour.
   * @example
   * const { items: sent } = await operator.alerts.listSent({ limit: 20 });
   * const told = sent.filter(({ isTold }) => isTold).map(({ alert, partner }) => [alert.kind, partner?.partnerName]);
   */
  listSent(options?: PageOptions): Promise<Page<ListedAlert>>;
  /**
   * Iterates over the rows of `listSent` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { alert, sentAt } of operator.alerts.eachSent()) console.log(alert.kind, new Date(sentAt));
   */
  eachSent(options?: PageOptions): AsyncIterable<ListedAlert>;
}

const CURSORS = definePageCursors<SentPosition>('sent alerts', { sentAt: 'number', id: 'id' });

export const alertDefinitions: Definitions<AlertCommands> = {
  listSent: {
    summary: 'Lists the alerts that were sent in the last 30 days, the last one first',
    input: filter({ ...page }),
    right: 'system:read',
    claims: onHost,
    run: ({ read }, asked) => listSent(read, asked),
  },
};

async function listSent(read: Repositories, asked: PageOptions): Promise<Page<ListedAlert>> {
  const { items, nextCursor } = await readPage(CURSORS, [], asked, (start) => read.alerts.listSent(start));
  const keys = items.flatMap(({ alert }) => ('keyId' in alert ? [{ keyId: alert.keyId }] : []));
  const partners = new Map((await withKeyNames(read, keys)).map(({ keyId, ...partner }) => [keyId, partner]));
  const partnerOf = ({ alert }: SentAlert) => ('keyId' in alert ? (partners.get(alert.keyId) ?? null) : null);
  return { items: items.map((sent) => ({ ...sent, partner: partnerOf(sent) })), nextCursor };
}
