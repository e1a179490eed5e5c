import type {
  InboxEntryKey,
  Instant,
  ListedEntry,
  PostponedEntry,
  RefusedEntry,
  RefusedPosition,
  Repositories,
} from '@partner-hiring/core/ports';
import { type SelectQueryBuilder, sql } from 'kysely';
import { defineUpdate } from '../../batch.js';
import { defineLookUps, type Item } from '../../look-ups.js';
import { beyond } from '../../merged-ranges.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { Schema } from '../../schema.js';
import type { Run } from '../../session.js';
import { define, type Param, type Statement } from '../../statement.js';
import type { Row } from '../../table.js';
import {
  defineNoteErasures,
  definePostponeErasures,
  fromPostponedErasure,
  fromRefusedErasure,
  toListedErasure,
} from './inbox-erasures.js';
import { type EntryItem, POSTPONEMENT, REFUSAL, splitErasures, toListed } from './inbox-rows.js';
import { INBOX_ENTRIES, type INBOX_ERASURES } from './table.js';

export const NEVER_PARKED: Instant = Number.MAX_SAFE_INTEGER;

const POSTPONED = INBOX_ENTRIES.pick('key_id', 'at', 'application_id', ...POSTPONEMENT);

export const fromPostponed = POSTPONED.toRow;

export function definePostpone(preparation: Preparation) {
  return defineUpdate(preparation, { table: POSTPONED, by: ['key_id', 'at', 'application_id'] });
}

const REFUSED = INBOX_ENTRIES.pick('key_id', 'at', 'application_id', ...REFUSAL);

type InboxItemRow = Pick<EntryItem, 'application_id' | 'at'>;

type List<Row> = Statement<RefusedPosition & { readonly limit: number }, Row>;

/** Before the first row. */
const START = {
  keyId: '' as RefusedPosition['keyId'],
  at: 0,
  applicationId: '' as RefusedPosition['applicationId'],
};

/** Makes the list of the rows of a table of the inbox after a position. */
function defineList<Row>(rows: object): List<Row> {
  // Both tables have the columns of the order.
  const query = rows as SelectQueryBuilder<Schema, 'ph_inbox_entry', Row>;
  const ordered = query.orderBy('key_id').orderBy('at').orderBy('application_id');
  return define((param: Param<RefusedPosition & { limit: number }>) => {
    const after = { key_id: param('keyId'), at: param('at'), application_id: param('applicationId') };
    return ordered.where(beyond('>', after)).limit(param('limit'));
  });
}

type Refusals = 'listRefused' | 'noteRefused' | 'retryParked';

/** Notes and lists refused entries, and makes parked ones due. */
export const prepareRefusals: Prepare<Pick<Repositories['inbox'], Refusals>> = (preparation) => {
  const { queries } = preparation;
  const all = queries.selectFrom('ph_inbox_entry').selectAll();
  const parked = defineList<Row<typeof INBOX_ENTRIES>>(all.where('retry_at', '=', sql.lit(NEVER_PARKED)));
  const refused = defineList<Row<typeof INBOX_ENTRIES>>(all.where('failures', '>', sql.lit(0)));
  const note = defineUpdate(preparation, { table: REFUSED, by: ['key_id', 'at', 'application_id'] });
  const find = defineLookUps(
    preparation,
    { application_id: 'text', at: 'integer' },
    (item: Item<InboxItemRow>) =>
      queries
        .selectFrom('ph_inbox_entry')
        .selectAll()
        .where('application_id', '=', item('application_id'))
        .where('at', '=', item('at'))
        .where('retry_at', '=', sql.lit(NEVER_PARKED)),
  );
  const postpone = definePostpone(preparation);
  const erasures = prepareRefusedErasures(preparation);

  async function findParked(
    run: Run,
    which: Parameters<Repositories['inbox']['retryParked']>[0],
  ): Promise<readonly ListedEntry[]> {
    if ('limit' in which) {
      const { limit } = which;
      const entries = await run.list(parked, { ...START, limit }, toListed);
      const left = limit - entries.length;
      return left === 0 ? entries : [...entries, ...(await erasures.list(run, true, left, null))];
    }
    const { erased, others } = splitErasures(which);
    const asked = others.map(({ applicationId, at }) => ({ application_id: applicationId, at }));
    const { rows } = await run.batch(find, asked, {});
    return [...rows.map(toListed), ...(await erasures.find(run, erased))];
  }

  return {
    noteRefused: (session, entries) =>
      session.write(async (run) => {
        const { erased, others } = splitErasures(entries);
        await run.batch(note, others.map(REFUSED.toRow), {});
        await erasures.note(run, erased);
      }),
    listRefused: (session, onlyParked, limit, after) =>
      session.read(async (run) => {
        const values = { ...(after ?? START), limit };
        const entries = await run.list(onlyParked ? parked : refused, values, toListed);
        const erased = await erasures.list(run, onlyParked, limit, after);
        return [...entries, ...erased].sort(inListOrder).slice(0, limit);
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

function inListOrder(one: ListedEntry, other: ListedEntry): number {
  if (one.keyId !== other.keyId) return one.keyId < other.keyId ? -1 : 1;
  if (one.at !== other.at) return one.at - other.at;
  return one.applicationId < other.applicationId ? -1 : 1;
}

/** Notes and lists refused erasures, and makes parked ones due. */
function prepareRefusedErasures(preparation: Preparation) {
  const { queries } = preparation;
  const all = queries.selectFrom('ph_inbox_erasure').selectAll().where('received_at', 'is', null);
  const parked = all.where('retry_at', '=', sql.lit(NEVER_PARKED));
  const listParked = defineList<Row<typeof INBOX_ERASURES>>(parked);
  const listRefused = defineList<Row<typeof INBOX_ERASURES>>(all.where('failures', '>', sql.lit(0)));
  const note = defineNoteErasures(preparation);
  const find = defineLookUps(
    preparation,
    { application_id: 'text' },
    (item: Item<Pick<InboxItemRow, 'application_id'>>) =>
      parked.where('application_id', '=', item('application_id')),
  );
  const postpone = definePostponeErasures(preparation);

  return {
    note: (run: Run, entries: readonly RefusedEntry[]) => run.each(note, entries.map(fromRefusedErasure), {}),
    list: (run: Run, onlyParked: boolean, limit: number, after: RefusedPosition | null) =>
      run.list(onlyParked ? listParked : listRefused, { ...(after ?? START), limit }, toListedErasure),
    find: async (run: Run, keys: readonly InboxEntryKey[]) => {
      const asked = keys.map(({ applicationId }) => ({ application_id: applicationId }));
      return (await run.batch(find, asked, {})).rows.map(toListedErasure);
    },
    postpone: (run: Run, entries: readonly PostponedEntry[]) =>
      run.each(postpone, entries.map(fromPostponedErasure), {}),
  };
}
