import type { InboxClaim, Instant, KeyId, Repositories, UnreadEntry } from '@partner-hiring/core/ports';
import { type ExpressionBuilder, sql } from 'kysely';
import { itemsWith, selectItems } from '../../batch.js';
import type { JsonRows } from '../../dialect.js';
import { leaseClock, leaseEnd } from '../../lease-clock.js';
import { defineEach, defineLookUps, type Item } from '../../look-ups.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { Schema } from '../../schema.js';
import type { Run } from '../../session.js';
import { define, type Param } from '../../statement.js';
import { defineErasureHandOver } from './inbox-erasures.js';
import {
  ENTRY_ITEM,
  type EntryItem,
  HEAD_ITEM,
  type HeadItem,
  splitErasures,
  toEntryItem,
  toUnread,
} from './inbox-rows.js';

type Claims = 'addHeads' | 'lockHeads' | 'claim' | 'claimAgain' | 'lease';

/** Locks or leases the heads of keys, and reads their entries. */
export const prepareClaims: Prepare<Pick<Repositories['inbox'], Claims>> = (preparation) => {
  const { queries, items, now } = preparation;
  const addHeads = define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .insertInto('ph_inbox_head')
      .columns(['key_id'])
      .expression((eb) =>
        eb
          .selectFrom(items(param('rows'), { key_id: 'text' }))
          .select('item.key_id')
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  const findHeads = defineLookUps(preparation, { key_id: 'text' }, (item: Item<{ key_id: KeyId }>) =>
    queries.selectFrom('ph_inbox_head').select('key_id').where('key_id', '=', item('key_id')),
  );
  const lockHeads = defineLockHeads(preparation);
  const waitForHeads = defineWaitForHeads(preparation);
  const erasures = defineErasureHandOver(preparation);
  const { findNew, findDue, findAgain } = defineFinds(preparation);
  const lease = defineLease(preparation);

  async function lock(run: Run, keyIds: readonly KeyId[]): Promise<readonly HeadItem[]> {
    const asked = [...new Set(keyIds)].sort().map((key_id) => ({ key_id }));
    return (await run.batch(lockHeads, asked, { now: now() })).rows;
  }

  async function claim(run: Run, { keyIds, now: dueBy, limit }: InboxClaim): Promise<readonly UnreadEntry[]> {
    const heads = await lock(run, keyIds);
    // Each key gets an equal share of the limit. So a busy key does not delay the others, and few rows are read in
    // vain.
    const each = Math.ceil(limit / Math.max(1, heads.length));
    const [due, unread, erased] = await Promise.all([
      run.batch(findDue, heads, { dueBy, limit: each }),
      run.batch(findNew, heads, { limit: each }),
      erasures.findDue(run, heads, { dueBy, limit: each }),
    ]);
    return [...[...due.rows, ...unread.rows].map(toUnread), ...erased].sort(inOrderOfKeys);
  }

  return {
    addHeads: (session, keyIds) =>
      session.write(async (run) => {
        const asked = keyIds.map((key_id) => ({ key_id }));
        const { rows } = await run.batch(findHeads, asked, {});
        const known = new Set(rows.map(({ key_id }) => key_id));
        const missing = asked.filter(({ key_id }) => !known.has(key_id));
        await run.batch(addHeads, missing, {});
      }),
    lockHeads: (session, keyIds) =>
      session.write((run) => run.each(waitForHeads, itemsWith('key_id', [...new Set(keyIds)].sort()), {})),
    claim: (session, asked) => session.write((run) => claim(run, asked)),
    claimAgain: (session, entries) =>
      session.write(async (run) => {
        const heads = await lock(
          run,
          entries.map(({ keyId }) => keyId),
        );
        const locked = new Set(heads.map(({ key_id }) => key_id));
        const { erased, others } = splitErasures(entries.filter(({ keyId }) => locked.has(keyId)));
        const [{ rows }, again] = await Promise.all([
          run.batch(findAgain, others.map(toEntryItem), {}),
          erasures.findAgain(run, erased),
        ]);
        return [...rows.map(toUnread), ...again].sort(inOrderOfKeys);
      }),
    lease: (session, { forMs, ...asked }) =>
      session.write(async (run) => {
        const entries = await claim(run, asked);
        const { erased, others } = splitErasures(entries);
        const last = new Map(others.map(({ keyId, at }) => [keyId, at]));
        const heads = [...last].map(([key_id, position]) => ({ key_id, position }));
        await run.batch(lease, heads, { forMs, now: now() });
        await erasures.hide(run, erased, asked.now + forMs);
        return entries;
      }),
  };
};

function inOrderOfKeys(a: UnreadEntry, b: UnreadEntry): number {
  if (a.keyId !== b.keyId) return a.keyId < b.keyId ? -1 : 1;
  return a.at - b.at;
}

function defineLockHeads(preparation: Preparation) {
  const { queries, lockFreeRows } = preparation;
  return defineLookUps(
    preparation,
    { key_id: 'text' },
    (item: Item<{ key_id: KeyId }>, param: Param<{ now: Instant }>) =>
      queries
        .selectFrom('ph_inbox_head')
        .select(['key_id', 'position'])
        .where('key_id', '=', item('key_id'))
        .where('lease_until', '<=', leaseClock(preparation, param('now')))
        .$call(lockFreeRows),
  );
}

function defineWaitForHeads(preparation: Preparation) {
  const { queries, lockRows } = preparation;
  return define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .selectFrom('ph_inbox_head')
      .select('key_id')
      .where('key_id', 'in', selectItems(preparation, param('rows'), 'key_id'))
      .orderBy('key_id')
      .$call(lockRows),
  );
}

/** Selects 1 if an earlier entry of the same application is postponed. A submission has no earlier entry. */
function isBehind(eb: ExpressionBuilder<Schema & { entry: Schema['ph_inbox_entry'] }, 'entry'>) {
  return eb
    .case()
    .when('entry.kind', '<>', sql.lit<'application.submitted'>('application.submitted'))
    .then(
      eb
        .case()
        .when(
          eb.exists(
            eb
              .selectFrom('ph_inbox_entry as earlier')
              .select(sql.lit(1).as('found'))
              .whereRef('earlier.application_id', '=', 'entry.application_id')
              .whereRef('earlier.at', '<', 'entry.at')
              .where('earlier.retry_at', 'is not', null),
          ),
        )
        .then(sql.lit(1))
        .else(sql.lit(0))
        .end(),
    )
    .else(sql.lit(0))
    .end();
}

/** The statements that read entries, each with whether an earlier one is postponed. */
function defineFinds(preparation: Preparation) {
  const entries = preparation.queries
    .selectFrom('ph_inbox_entry as entry')
    .selectAll('entry')
    .select((eb) => isBehind(eb as never).as('behind'));
  const findNew = defineEach(
    preparation,
    HEAD_ITEM,
    (item: Item<HeadItem>, param: Param<{ limit: number }>) =>
      entries
        .where('entry.key_id', '=', item('key_id'))
        .where('entry.at', '>', item('position'))
        .where('entry.retry_at', 'is', null)
        .orderBy('entry.at')
        .limit(param('limit')),
  );
  const findDue = defineEach(
    preparation,
    HEAD_ITEM,
    (item: Item<HeadItem>, param: Param<{ dueBy: Instant; limit: number }>) =>
      entries
        .where('entry.key_id', '=', item('key_id'))
        .where('entry.retry_at', '<=', param('dueBy'))
        .orderBy('entry.retry_at')
        .limit(param('limit')),
  );
  const findAgain = defineLookUps(preparation, ENTRY_ITEM, (item: Item<EntryItem>) =>
    entries
      .where('entry.key_id', '=', item('key_id'))
      .where('entry.at', '=', item('at'))
      .where('entry.application_id', '=', item('application_id'))
      .where('entry.parked_at', 'is', null),
  );
  return { findNew, findDue, findAgain };
}

function defineLease(preparation: Preparation) {
  const { queries, items } = preparation;
  return define((param: Param<{ rows: JsonRows<HeadItem>; forMs: number; now: Instant }>) =>
    queries
      .updateTable('ph_inbox_head')
      .from(items(param('rows'), HEAD_ITEM))
      .set((eb) => ({
        lease_until: leaseEnd(preparation, param('now'), param('forMs')),
        leased_to: eb.ref('item.position'),
      }))
      .whereRef('ph_inbox_head.key_id', '=', 'item.key_id'),
  );
}
