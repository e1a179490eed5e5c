/** A sync that is killed goes on where it was, and the copy equals the list. */
import { clientOf, instantClock, job, reply } from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';
import { createMemorySyncStore, type Job, type SyncChange, type SyncState, type SyncStore } from './index.js';

const HOUR_MS = 60 * 60 * 1_000;

/** Pages of one row, with the position as the cursor. Counts the requests. */
function openList(ids: string[]) {
  const clock = instantClock();
  const asked: (string | null)[] = [];
  const refused = new Set<string>();
  const client = clientOf(
    async (url) => {
      const cursor = new URL(url).searchParams.get('cursor');
      asked.push(cursor);
      if (cursor !== null && refused.has(cursor)) {
        const errors = [{ field: 'cursor', code: 'invalid_cursor', message: 'No.' }];
        return reply(422, { error: 'VALIDATION_ERROR', message: 'No.', details: { errors } });
      }
      const at = Number(cursor ?? 0);
      const data = ids.slice(at, at + 1).map((id) => job(id));
      const body = at + 1 < ids.length ? { data, next_cursor: String(at + 1) } : { data };
      return reply(200, body, { 'x-updated-through': `t-${at}` });
    },
    { clock },
  );
  return { ids, clock, asked, refused, client };
}

type Copy = SyncStore<Job> & { readonly rows: ReadonlyMap<string, Job> };

/** A store with today's three methods, which keeps the state as it is. */
function withoutSeen({ listUnseen: _, ...store }: Copy): Copy {
  return store;
}

/** A store with a column for each field of the state that it knows. */
function inColumns(store: Copy): Copy {
  const { listUnseen: _, ...rest } = store;
  return {
    ...rest,
    readState: async () => {
      const state = await store.readState();
      if (state === null) return null;
      const { updatedThrough, comparedAt } = state;
      return { updatedThrough, comparedAt } satisfies SyncState;
    },
  };
}

/** Ends before or after the change of its n-th `apply`, as a kill does. */
function killedAt(store: Copy, at: number, when: 'before' | 'after'): Copy {
  let applied = 0;
  return {
    ...store,
    apply: async (change: SyncChange<Job>) => {
      applied += 1;
      if (applied === at && when === 'before') throw new Error('killed');
      await store.apply(change);
      if (applied === at) throw new Error('killed');
    },
  };
}

const FORMS: [string, (store: Copy) => Copy][] = [
  ['that keeps what it has seen', (store) => store],
  ['of three methods', withoutSeen],
  ['with columns', inColumns],
];

describe.each(FORMS)('a store %s', (_, form) => {
  test.each([1, 2, 3, 4])('has the whole list after a kill at page %i of the first sync', async (at) => {
    for (const when of ['before', 'after'] as const) {
      const list = openList(['job_1', 'job_2', 'job_3', 'job_4']);
      const store = form(createMemorySyncStore<Job>());
      await expect(list.client.jobs.sync({ store: killedAt(store, at, when) })).rejects.toThrow('killed');
      await list.client.jobs.sync({ store });
      expect([...store.rows.keys()]).toEqual(list.ids);
      expect((await store.readState())?.comparing).toBeUndefined();
      expect(await list.client.jobs.sync({ store })).toMatchObject({ kind: 'changes' });
    }
  });

  test.each([1, 2, 3])('finds the missing rows after a kill at page %i of a comparison', async (at) => {
    for (const when of ['before', 'after'] as const) {
      const list = openList(['job_1', 'gone_1', 'job_2', 'job_3', 'gone_2']);
      const store = form(createMemorySyncStore<Job>());
      await list.client.jobs.sync({ store });
      list.ids.splice(0, 5, 'job_1', 'job_2', 'job_3');
      const compare = { compareEveryMs: 0 };
      const killed = list.client.jobs.sync({ store: killedAt(store, at, when), ...compare });
      await expect(killed).rejects.toThrow('killed');
      if (at < 3) await list.client.jobs.sync({ store });
      await list.client.jobs.sync({ store, ...compare });
      expect([...store.rows.keys()].sort()).toEqual(list.ids);
    }
  });
});

describe('an interrupted sync', () => {
  async function interrupted(at: number, before: readonly string[] = []) {
    const list = openList(['job_1', 'job_2', 'job_3', 'job_4']);
    const store = createMemorySyncStore<Job>();
    if (before.length > 0) {
      const state = { updatedThrough: null, comparedAt: null };
      await store.apply({ upserts: before.map((id) => job(id)), disappeared: [], state });
    }
    const startedAt = list.clock.now();
    await list.client.jobs.sync({ store: killedAt(store, at, 'after') }).catch(() => {});
    list.asked.length = 0;
    return { list, store, startedAt };
  }

  test('goes on at its cursor, and counts from when its first part began', async () => {
    const { list, store, startedAt } = await interrupted(2, ['old']);
    await list.clock.sleep(HOUR_MS);
    const report = await list.client.jobs.sync({ store });
    expect(report).toEqual({ kind: 'whole', rows: 2, disappeared: ['old'], updatedThrough: 't-3' });
    expect(list.asked).toEqual(['2', '3']);
    expect(await store.readState()).toEqual({ updatedThrough: 't-3', comparedAt: startedAt });
  });

  test('never takes a row for missing that an earlier part saw and that is gone since', async () => {
    const { list, store } = await interrupted(2, ['job_1', 'old']);
    list.ids[0] = 'closed meanwhile';
    expect(await list.client.jobs.sync({ store })).toMatchObject({ disappeared: ['old'] });
    expect(store.rows.has('job_1')).toBe(true);
  });

  test.each([24, -25])('begins anew if its first part began %i hours ago', async (hours) => {
    const { list, store } = await interrupted(2);
    await list.clock.sleep(hours * HOUR_MS);
    expect(await list.client.jobs.sync({ store })).toMatchObject({ rows: 4, disappeared: [] });
    expect(list.asked).toEqual([null, '1', '2', '3']);
  });

  test('begins anew if the service no longer knows its cursor', async () => {
    const { list, store } = await interrupted(2, ['old']);
    list.refused.add('2');
    list.refused.delete('3');
    const [first] = list.ids.splice(0, 3);
    list.ids.unshift(String(first));
    expect(await list.client.jobs.sync({ store })).toMatchObject({ rows: 2 });
    expect(list.asked).toEqual(['2', null, '1']);
    expect([...store.rows.keys()]).toEqual(list.ids);
  });

  test('begins anew with a store that no longer keeps what it has seen', async () => {
    const { list, store } = await interrupted(2, ['old']);
    const { listUnseen: _, ...simple } = store;
    expect(await list.client.jobs.sync({ store: simple })).toMatchObject({ rows: 4, disappeared: ['old'] });
    expect(list.asked[0]).toBeNull();
  });
});
