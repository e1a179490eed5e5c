import type {
  ApplicationId,
  InboxEntry,
  InboxEntryKey,
  InboxEntryState,
  Instant,
  KeyId,
  ListedEntry,
  PostponedEntry,
  Repositories,
  UnreadEntry,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineUpdate, writeEach } from '../../batch.js';
import type { JsonRows } from '../../dialect.js';
import { defineEach, defineLookUp, defineLookUps, type Item } from '../../look-ups.js';
import { inOrder } from '../../mapping.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { Run } from '../../session.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import type { Row, TableColumns } from '../../table.js';
import { HEAD_ITEM, type HeadItem, POSTPONEMENT, REFUSAL } from './inbox-rows.js';
import { INBOX_ERASURES } from './table.js';

type ErasureRow = Row<typeof INBOX_ERASURES>;

const RECORDED = INBOX_ERASURES.pick('application_id', 'key_id', 'at');

interface IdItem {
  readonly application_id: ApplicationId;
}

const ID_ITEM: TableColumns<IdItem> = { application_id: 'text' };

/** Records erasures, once for each application, and finds them again. */
export const prepareErasures: Prepare<Pick<Repositories['inbox'], 'addErasures' | 'findErasures'>> = (
  preparation,
) => {
  const { queries, items, whenSelected } = preparation;
  const add = define((param: Param<{ rows: JsonRows<Row<typeof RECORDED>> }>) =>
    queries
      .insertInto('ph_inbox_erasure')
      .columns(['application_id', 'key_id', 'at', 'retry_at'])
      .expression((eb) =>
        eb
          .selectFrom(items(param('rows'), RECORDED.columns))
          .select(['item.application_id', 'item.key_id', 'item.at', 'item.at as retry_at'])
          .where((where) =>
            where.exists(
              where
                .selectFrom('ph_inbox_switch')
                .select('id')
                .where('id', '=', sql.lit(1))
                .where('is_on', '=', sql.lit<1>(1)),
            ),
          )
          .$if(whenSelected !== null, (query) => query.where(whenSelected ?? sql<boolean>`true`)),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  const find = defineLookUp(preparation, INBOX_ERASURES, ['application_id']);

  return {
    addErasures: writeEach(add, RECORDED.toRow),
    findErasures: (session, of) =>
      session.read(async (run) => {
        const ids = of.map(({ applicationId }) => applicationId);
        const { rows } = await run.batch(find, of.map(toItemOf), {});
        return inOrder(ids, rows, (row) => row.application_id, toState);
      }),
  };
};

/** The statements that hand over erasures together with the entries. */
export interface ErasureHandOver {
  findDue(
    run: Run,
    heads: readonly HeadItem[],
    range: { readonly dueBy: Instant; readonly limit: number },
  ): Promise<readonly UnreadEntry[]>;
  /** Omits those that the host received meanwhile, and parked ones. */
  findAgain(run: Run, entries: readonly InboxEntry[]): Promise<readonly UnreadEntry[]>;
  /** Hides erasures until an instant, because a consumer has them. */
  hide(run: Run, entries: readonly InboxEntry[], until: Instant): Promise<void>;
  /** Returns how many the host had not received before. */
  receive(run: Run, entries: readonly InboxEntryKey[], at: Instant): Promise<number>;
  postpone(run: Run, entries: readonly PostponedEntry[]): Promise<void>;
}

export function defineErasureHandOver(preparation: Preparation): ErasureHandOver {
  const { queries, items } = preparation;
  const findDue = defineFindDue(preparation);
  const findAgain = defineLookUps(preparation, ID_ITEM, (item: Item<IdItem>) =>
    queries
      .selectFrom('ph_inbox_erasure')
      .selectAll()
      .where('application_id', '=', item('application_id'))
      .where('received_at', 'is', null)
      .where('parked_at', 'is', null),
  );
  const hide = define((param: Param<{ rows: JsonRows<IdItem>; until: Instant }>) =>
    queries
      .updateTable('ph_inbox_erasure')
      .from(items(param('rows'), ID_ITEM))
      .set({ retry_at: param('until') })
      .whereRef('ph_inbox_erasure.application_id', '=', 'item.application_id'),
  );
  // The host's error may contain personal data, so it is not kept longer than it is needed.
  const receive = define((param: Param<{ rows: JsonRows<IdItem>; at: Instant }>) =>
    queries
      .updateTable('ph_inbox_erasure')
      .from(items(param('rows'), ID_ITEM))
      .set((eb) => ({ received_at: param('at'), parked_at: eb.lit(null), last_error: eb.lit(null) }))
      .whereRef('ph_inbox_erasure.application_id', '=', 'item.application_id')
      .where('ph_inbox_erasure.received_at', 'is', null)
      .returning(WRITTEN),
  );
  const postpone = definePostponeErasures(preparation);

  return {
    findDue: async (run, heads, range) => (await run.batch(findDue, heads, range)).rows.map(toUnreadErasure),
    findAgain: async (run, entries) => {
      const { rows } = await run.batch(findAgain, entries.map(toItemOf), {});
      return rows.map(toUnreadErasure);
    },
    hide: (run, entries, until) => run.each(hide, entries.map(toItemOf), { until }),
    receive: async (run, entries, at) =>
      (await run.batch(receive, entries.map(toItemOf), { at })).rows.length,
    postpone: (run, entries) => run.each(postpone, entries.map(fromPostponedErasure), {}),
  };
}

function defineFindDue(preparation: Preparation) {
  const { queries } = preparation;
  return defineEach(
    preparation,
    HEAD_ITEM,
    (item: Item<HeadItem>, param: Param<{ dueBy: Instant; limit: number }>) =>
      queries
        .selectFrom('ph_inbox_erasure')
        .selectAll()
        .where('key_id', '=', item('key_id'))
        .where('retry_at', '<=', param('dueBy'))
        .where('received_at', 'is', null)
        .orderBy('retry_at')
        .orderBy('application_id')
        .limit(param('limit')),
  );
}

const POSTPONED = INBOX_ERASURES.pick('application_id', ...POSTPONEMENT);

export const fromPostponedErasure = POSTPONED.toRow;

const REFUSED = INBOX_ERASURES.pick('application_id', ...REFUSAL);

export const fromRefusedErasure = REFUSED.toRow;

export function defineNoteErasures(preparation: Preparation) {
  return defineUpdate(preparation, { table: REFUSED, by: ['application_id'] });
}

export function definePostponeErasures(preparation: Preparation) {
  return defineUpdate(preparation, {
    table: POSTPONED,
    by: ['application_id'],
    finish: (update) => update.where('ph_inbox_erasure.received_at', 'is', null),
  });
}

const UNREAD = INBOX_ERASURES.omit('retry_at', 'parked_at', 'last_error', 'received_at');
const LISTED = INBOX_ERASURES.omit('received_at');
const STATE = INBOX_ERASURES.omit('application_id', 'key_id', 'first_failure_at');

/** What is the same of each erasure that is handed over. */
const ERASED = { kind: 'candidate.erased', isRetry: true, isBehind: false } as const;

export function toListedErasure(row: ErasureRow): ListedEntry {
  return { ...LISTED.toValue(row), ...ERASED };
}

function toUnreadErasure(row: ErasureRow): UnreadEntry {
  return { ...UNREAD.toValue(row), ...ERASED };
}

function toState(row: ErasureRow): InboxEntryState {
  const { failures, retryAt, ...state } = STATE.toValue(row);
  const isOver = state.receivedAt !== null;
  const isWaiting = !isOver && state.parkedAt === null;
  return {
    ...state,
    kind: 'candidate.erased',
    failures: isOver ? 0 : failures,
    retryAt: isWaiting ? retryAt : null,
  };
}

function toItemOf({ applicationId }: { readonly applicationId: ApplicationId }): IdItem {
  return { application_id: applicationId };
}

/** Finds the keys of erasures that are due. */
export function defineFindErasureKeys({ queries }: Preparation, mostKeys: number) {
  return define((param: Param<{ now: Instant }>) =>
    queries
      .selectFrom('ph_inbox_erasure')
      .select('key_id')
      .where('received_at', 'is', null)
      .where('retry_at', '<=', param('now'))
      .orderBy('retry_at')
      .limit(sql.lit(mostKeys))
      .$castTo<{ key_id: KeyId }>(),
  );
}
