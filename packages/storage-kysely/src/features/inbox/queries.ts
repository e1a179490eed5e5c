import type { InboxChanges, Instant, KeyId, Repositories } from '@partner-hiring/core/ports';
import { type Expression, sql } from 'kysely';
import { writeEach } from '../../batch.js';
import { walkKeys } from '../../index-walk.js';
import { ONE } from '../../look-ups.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { Run } from '../../session.js';
import { define, type Param, type Statement, WRITTEN } from '../../statement.js';
import type { DuePart } from '../../system/work.js';
import type { Flag } from '../../table.js';
import { prepareClaims } from './claim-entries.js';
import { prepareEnds } from './end-entries.js';
import { defineFindErasureKeys, prepareErasures } from './inbox-erasures.js';
import { prepareReceipts } from './inbox-receipts.js';
import { defineAddEntries, fromEntry } from './inbox-rows.js';
import { NEVER_PARKED, prepareRefusals } from './parked-entries.js';

/** Counts stop here. */
const COUNT_BOUND = 10_000;

export const prepareInbox: Prepare<Repositories['inbox']> = (preparation) => {
  const add = defineAddEntries(preparation);
  const countUnread = defineCounts(preparation, 'unread');
  const countParked = defineCounts(preparation, 'parked');

  return {
    ...prepareSwitch(preparation),
    ...prepareFindKeys(preparation),
    ...prepareClaims(preparation),
    ...prepareEnds(preparation),
    ...prepareRefusals(preparation),
    ...prepareReceipts(preparation),
    ...prepareErasures(preparation),
    add: writeEach(add, fromEntry),
    counts: (session) =>
      session.read(async (run) => {
        const unread = await countAll(run, countUnread);
        const parked = await countAll(run, countParked);
        return {
          unread: Math.min(unread.count, COUNT_BOUND),
          parked: Math.min(parked.count, COUNT_BOUND),
          oldestUnreadAt: unread.oldest,
          isExact: Math.max(unread.count, parked.count) <= COUNT_BOUND,
        };
      }),
  };
};

const prepareSwitch: Prepare<Pick<Repositories['inbox'], 'isOn' | 'turn' | 'changes' | 'choose'>> = ({
  queries,
}) => {
  const read = define(() => queries.selectFrom('ph_inbox_switch').select(['is_on', 'changes']));
  // Null leaves a column as it is.
  const write = define((param: Param<{ on: Flag | null; changes: InboxChanges | null }>) => {
    const isOn = sql<Flag>`coalesce(${param('on')}, is_on)`;
    const changes = sql<InboxChanges>`coalesce(${param('changes')}, changes)`;
    return queries
      .updateTable('ph_inbox_switch')
      .set({ is_on: isOn, changes })
      .where(({ or, eb }) => or([eb('is_on', '<>', isOn), eb('changes', '<>', changes)]))
      .returning(WRITTEN);
  });
  return {
    isOn: (session) => session.read(async (run) => (await run.first(read, {}))?.is_on === 1),
    changes: (session) => session.read(async (run) => (await run.first(read, {}))?.changes ?? 'staff'),
    choose: (session, changes) =>
      session.write(async (run) => (await run.count(write, { on: null, changes })) === 1),
    turn: (session, on) =>
      session.write(async (run) => (await run.count(write, { on: on ? 1 : 0, changes: null })) === 1),
  };
};

/** Counts entries and erasures, which have tables of their own. */
function defineCounts({ queries }: Preparation, which: 'unread' | 'parked') {
  const erasures = queries.selectFrom('ph_inbox_erasure').select('at').where('received_at', 'is', null);
  const count = (rows: object, name: string) =>
    define(() =>
      queries
        // Both tables have the columns.
        .selectFrom(
          (rows as typeof entries)
            .$if(which === 'parked', (query) => query.where('retry_at', '=', sql.lit(NEVER_PARKED)))
            .$if(which === 'unread', (query) => query.where('parked_at', 'is', null))
            .limit(sql.lit(COUNT_BOUND + 1))
            .as(name),
        )
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('at').as('oldest')]),
    );
  const entries = queries.selectFrom('ph_inbox_entry').select('at');
  return [count(entries, 'entry'), count(erasures, 'erasure')];
}

interface Count {
  readonly count: number;
  readonly oldest: Instant | null;
}

async function countAll(run: Run, statements: readonly Statement<object, Count>[]): Promise<Count> {
  const counts = [];
  for (const statement of statements) counts.push((await run.first(statement, {})) ?? NOTHING);
  const oldest = counts.flatMap((each) => each.oldest ?? []);
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    oldest: oldest.length === 0 ? null : Math.min(...oldest),
  };
}

const NOTHING: Count = { count: 0, oldest: null };

/** Bounds a call to about a millisecond. */
const MOST_KEYS = 100;

/** Finds keys by a loose scan of the index of new entries, and by their due retries and erasures. */
const prepareFindKeys: Prepare<Pick<Repositories['inbox'], 'findKeys'>> = (preparation) => {
  const { queries } = preparation;
  const walk = defineWalk(preparation);
  const findDue = define((param: Param<{ now: Instant }>) =>
    queries
      .selectFrom('ph_inbox_entry')
      .select('key_id')
      .where('retry_at', '<=', param('now'))
      .orderBy('retry_at')
      .limit(sql.lit(MOST_KEYS)),
  );

  const findErased = defineFindErasureKeys(preparation, MOST_KEYS);

  /** Where the next walk starts if more keys remain. */
  let after: KeyId | '' = '';

  return {
    findKeys: (session, now) =>
      session.read(async (run) => {
        const walked = (await run.all(walk, { after })).map(({ key_id }) => key_id);
        after = (walked.length === MOST_KEYS && walked.at(-1)) || '';
        const due = (await run.all(findDue, { now })).map(({ key_id }) => key_id);
        const erased = (await run.all(findErased, { now })).map(({ key_id }) => key_id);
        return [...new Set([...walked, ...due, ...erased])];
      }),
  };
};

function defineWalk(preparation: Preparation) {
  const firstBehind = (key: Expression<KeyId>) =>
    preparation.queries
      .selectFrom('ph_inbox_entry as entry')
      .select('entry.key_id')
      .where('entry.key_id', '>', key)
      .where('entry.retry_at', 'is', null)
      .orderBy('entry.key_id')
      .limit(ONE);
  return define((param: Param<{ after: KeyId | '' }>) =>
    walkKeys(preparation, firstBehind, { after: param('after'), most: MOST_KEYS }),
  );
}

/** New entries, retries, and erasures. */
export const dueEntries: DuePart = ({ queries }, withInbox) => {
  if (!withInbox) return [sql<Instant | null>`${null}`.as('inbox')];
  return [
    queries
      .selectFrom('ph_inbox_entry')
      .select('at')
      .where('retry_at', 'is', null)
      .orderBy('key_id')
      .limit(ONE)
      .as('inbox'),
    queries
      .selectFrom('ph_inbox_entry')
      .select('retry_at')
      .where('retry_at', 'is not', null)
      .orderBy('retry_at')
      .limit(ONE)
      .as('inbox_retries'),
    queries
      .selectFrom('ph_inbox_erasure')
      .select('retry_at')
      .where('received_at', 'is', null)
      .orderBy('retry_at')
      .limit(ONE)
      .as('inbox_erasures'),
  ];
};
