import type {
  InboxEntryKey,
  InboxRepository,
  Instant,
  ParkedPosition,
  PostponedEntry,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineUpdate, lookUpEach } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { beyond } from '../merged-ranges.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Run } from '../session.js';
import { define, type Param } from '../statement.js';
import { INBOX_ENTRIES } from '../tables/index.js';
import { definePostponeErasures, fromPostponedErasure, toPostponedErasure } from './inbox-erasures.js';
import { type EntryItem, POSTPONEMENT, splitErasures, toPostponed } from './inbox-rows.js';

export const NEVER: Instant = Number.MAX_SAFE_INTEGER;

const POSTPONED = INBOX_ENTRIES.pick('key_id', 'at', 'application_id', ...POSTPONEMENT);

export const fromPostponed = POSTPONED.toRow;

export function definePostpone(preparation: Preparation) {
  return defineUpdate(preparation, { table: POSTPONED, by: ['key_id', 'at', 'application_id'] });
}

type InboxItemRow = Pick<EntryItem, 'application_id' | 'at'>;

/** Lists parked entries, and makes them due. */
export const prepareParked: Prepare<Pick<InboxRepository, 'listParked' | 'retryParked'>> = (preparation) => {
  const { queries } = preparation;
  const parked = queries.selectFrom('ph_inbox_entry').where('retry_at', '=', sql.lit(NEVER));
  const list = define((param: Param<{ limit: number }>) =>
    parked.selectAll().orderBy('key_id').orderBy('at').orderBy('application_id').limit(param('limit')),
  );
  const listAfter = define((param: Param<ParkedPosition & { limit: number }>) =>
    parked
      .selectAll()
      .where(beyond('>', { key_id: param('keyId'), at: param('at'), application_id: param('applicationId') }))
      .orderBy('key_id')
      .orderBy('at')
      .orderBy('application_id')
      .limit(param('limit')),
  );
  const find = define((param: Param<{ rows: JsonRows<InboxItemRow> }>) =>
    lookUpEach(preparation, param('rows'), { application_id: 'text', at: 'integer' }, (item) =>
      queries
        .selectFrom('ph_inbox_entry')
        .selectAll()
        .where('application_id', '=', item('application_id'))
        .where('at', '=', item('at'))
        .where('retry_at', '=', sql.lit(NEVER)),
    ),
  );
  const postpone = definePostpone(preparation);
  const erasures = prepareParkedErasures(preparation);

  async function findParked(
    run: Run,
    which: Parameters<InboxRepository['retryParked']>[0],
  ): Promise<readonly PostponedEntry[]> {
    if ('limit' in which) {
      const { limit } = which;
      const entries = (await run.all(list, { limit })).map(toPostponed);
      const left = limit - entries.length;
      return left === 0 ? entries : [...entries, ...(await erasures.list(run, left, null))];
    }
    const { erased, others } = splitErasures(which);
    const asked = others.map(({ applicationId, at }) => ({ application_id: applicationId, at }));
    const { rows } = await run.batch(find, asked, {});
    return [...rows.map(toPostponed), ...(await erasures.find(run, erased))];
  }

  return {
    listParked: (session, limit, after) =>
      session.read(async (run) => {
        const rows =
          after === null ? await run.all(list, { limit }) : await run.all(listAfter, { ...after, limit });
        const erased = await erasures.list(run, limit, after);
        return [...rows.map(toPostponed), ...erased].sort(inParkedOrder).slice(0, limit);
      }),
    retryParked: (session, which, now) =>
      session.write(async (run) => {
        const parkedOnes = await findParked(run, which);
        const due = parkedOnes.map((entry) => ({ ...entry, retryAt: now, parkedAt: null }));
        const { erased, others } = splitErasures(due);
        await run.batch(postpone, others.map(fromPostponed), {});
        await erasures.postpone(run, erased);
        return due.length;
      }),
  };
};

function inParkedOrder(one: PostponedEntry, other: PostponedEntry): number {
  if (one.keyId !== other.keyId) return one.keyId < other.keyId ? -1 : 1;
  if (one.at !== other.at) return one.at - other.at;
  return one.applicationId < other.applicationId ? -1 : 1;
}

/** Lists parked erasures, and makes them due. */
function prepareParkedErasures(preparation: Preparation) {
  const { queries } = preparation;
  const parked = queries
    .selectFrom('ph_inbox_erasure')
    .selectAll()
    .where('received_at', 'is', null)
    .where('retry_at', '=', sql.lit(NEVER));
  const inOrder = parked.orderBy('key_id').orderBy('at').orderBy('application_id');
  const list = define((param: Param<{ limit: number }>) => inOrder.limit(param('limit')));
  const listAfter = define((param: Param<ParkedPosition & { limit: number }>) =>
    inOrder
      .where(beyond('>', { key_id: param('keyId'), at: param('at'), application_id: param('applicationId') }))
      .limit(param('limit')),
  );
  const find = define((param: Param<{ rows: JsonRows<Pick<InboxItemRow, 'application_id'>> }>) =>
    lookUpEach(preparation, param('rows'), { application_id: 'text' }, (item) =>
      parked.where('application_id', '=', item('application_id')),
    ),
  );
  const postpone = definePostponeErasures(preparation);

  return {
    list: async (run: Run, limit: number, after: ParkedPosition | null) => {
      const rows =
        after === null ? await run.all(list, { limit }) : await run.all(listAfter, { ...after, limit });
      return rows.map(toPostponedErasure);
    },
    find: async (run: Run, keys: readonly InboxEntryKey[]) => {
      const asked = keys.map(({ applicationId }) => ({ application_id: applicationId }));
      return (await run.batch(find, asked, {})).rows.map(toPostponedErasure);
    },
    postpone: async (run: Run, entries: readonly PostponedEntry[]) => {
      await run.batch(postpone, entries.map(fromPostponedErasure), {});
    },
  };
}
