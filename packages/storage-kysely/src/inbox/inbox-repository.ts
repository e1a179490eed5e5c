import type { InboxChanges, InboxRepository, Instant } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { writeEach } from '../batch.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Run } from '../session.js';
import { define, type Param, type Statement, WRITTEN } from '../statement.js';
import type { Flag } from '../table.js';
import { prepareClaims } from './claim-entries.js';
import { prepareEnds } from './end-entries.js';
import { prepareFindKeys } from './find-keys.js';
import { prepareErasures } from './inbox-erasures.js';
import { prepareReceipts } from './inbox-receipts.js';
import { defineAddEntries, fromEntry } from './inbox-rows.js';
import { NEVER_PARKED, prepareRefusals } from './parked-entries.js';

/** Counts stop here. */
const COUNT_BOUND = 10_000;

export const prepareInbox: Prepare<InboxRepository> = (preparation) => {
  const add = defineAddEntries(preparation);
  const countUnread = [defineCount(preparation, 'unread'), defineCountErasures(preparation, 'unread')];
  const countParked = [defineCount(preparation, 'parked'), defineCountErasures(preparation, 'parked')];

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

const prepareSwitch: Prepare<Pick<InboxRepository, 'isOn' | 'turn' | 'changes' | 'choose'>> = ({
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

function defineCount({ queries }: Preparation, which: 'unread' | 'parked') {
  return define(() =>
    queries
      .selectFrom((eb) =>
        eb
          .selectFrom('ph_inbox_entry')
          .select('at')
          .$if(which === 'parked', (query) => query.where('retry_at', '=', sql.lit(NEVER_PARKED)))
          .$if(which === 'unread', (query) => query.where('parked_at', 'is', null))
          .limit(sql.lit(COUNT_BOUND + 1))
          .as('entry'),
      )
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('at').as('oldest')]),
  );
}

function defineCountErasures({ queries }: Preparation, which: 'unread' | 'parked') {
  return define(() =>
    queries
      .selectFrom((eb) =>
        eb
          .selectFrom('ph_inbox_erasure')
          .select('at')
          .where('received_at', 'is', null)
          .$if(which === 'parked', (query) => query.where('retry_at', '=', sql.lit(NEVER_PARKED)))
          .$if(which === 'unread', (query) => query.where('parked_at', 'is', null))
          .limit(sql.lit(COUNT_BOUND + 1))
          .as('erasure'),
      )
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('at').as('oldest')]),
  );
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
