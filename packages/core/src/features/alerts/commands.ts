import type { SentAlert } from '../../domain/alert.js';
import type { PartnerId } from '../../domain/ids.js';
import { isGiven } from '../../domain/optional.js';
import { onHost } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { ENVIRONMENTS, optionalId, page } from '../../operator/command/fields.js';
import { filter } from '../../operator/command/input.js';
import { type KeyNames, withKeyNames } from '../../operator/names.js';
import {
  definePageCursors,
  type Page,
  type PageOptions,
  readPage,
  scanPage,
} from '../../operator/page-cursor.js';
import type { Repositories } from '../../ports/storage.js';
import type { SentPosition } from './repository.js';

/** A sent alert with the partner of its key. */
export interface ListedAlert extends SentAlert {
  /** Null for an alert about no key. */
  readonly partner: KeyNames | null;
}

/** Selects sent alerts. */
export interface SentAlertFilter extends PageOptions {
  /** Only alerts about keys of this partner; default: all. */
  readonly partnerId?: PartnerId | undefined;
}

/** Reads which alerts the host got. */
export interface AlertCommands {
  /**
   * Returns a page of the alerts of the last 30 days that your function `alert` has accepted, the last one first, 100 by
   * default. An alert that it has not accepted yet is among `alerts.open`, if it waits for an hour. With `partnerId`, a
   * page reads at most 5,000 alerts, so it may have few or none and still a `nextCursor`.
   * @example
   * const { items: sent } = await operator.alerts.listSent({ limit: 20 });
   * const told = sent.filter(({ isTold }) => isTold).map(({ alert, partner }) => [alert.kind, partner?.partnerName]);
   */
  listSent(filter?: SentAlertFilter): Promise<Page<ListedAlert>>;
  /**
   * Iterates over the rows of `listSent` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { alert, sentAt } of operator.alerts.eachSent()) console.log(alert.kind, new Date(sentAt));
   */
  eachSent(filter?: SentAlertFilter): AsyncIterable<ListedAlert>;
}

/** Bounds what a page of one partner reads. */
const SCAN = { most: 5_000, atOnce: 500 } as const;

const CURSORS = definePageCursors<SentPosition>('sent alerts', { sentAt: 'number', id: 'id' });

export const alertDefinitions: Definitions<AlertCommands> = {
  listSent: {
    summary: 'Lists the alerts that were sent in the last 30 days, the last one first',
    input: filter({ partnerId: optionalId('partner', 'Only alerts about this partner'), ...page }),
    right: 'system:read',
    claims: onHost,
    run: ({ read }, asked) => listSent(read, asked),
  },
};

async function listSent(
  read: Repositories,
  { partnerId, ...asked }: SentAlertFilter,
): Promise<Page<ListedAlert>> {
  const list = read.alerts.listSent;
  const { items, nextCursor } = isGiven(partnerId)
    ? await scanPage(CURSORS, [partnerId], asked, { ...SCAN, list, isKept: await isAbout(read, partnerId) })
    : await readPage(CURSORS, [], asked, list);
  const keys = items.flatMap(({ alert }) => ('keyId' in alert ? [{ keyId: alert.keyId }] : []));
  const partners = new Map((await withKeyNames(read, keys)).map(({ keyId, ...partner }) => [keyId, partner]));
  const partnerOf = ({ alert }: SentAlert) => ('keyId' in alert ? (partners.get(alert.keyId) ?? null) : null);
  return { items: items.map((sent) => ({ ...sent, partner: partnerOf(sent) })), nextCursor };
}

/** A partner has at most one key for each environment. */
async function isAbout(read: Repositories, partnerId: PartnerId): Promise<(sent: SentAlert) => boolean> {
  const keys = await read.keys.list(partnerId, { after: null, limit: ENVIRONMENTS.length });
  const ids = new Set(keys.map(({ id }) => id));
  return ({ alert }) => 'keyId' in alert && ids.has(alert.keyId);
}
