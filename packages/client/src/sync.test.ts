import { clientOf, instantClock, job, reply } from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';
import { createMemorySyncStore, type Job } from './index.js';

describe('sync', () => {
  const INVALID_CURSOR = reply(422, {
    error: 'VALIDATION_ERROR',
    message: 'No.',
    details: { errors: [{ field: 'cursor', code: 'invalid_cursor', message: 'Not a cursor of this list.' }] },
  });

  test('starts over once when the service rejects a cursor', async () => {
    let isOver = false;
    const client = clientOf(async (url) => {
      if (!url.includes('cursor')) return reply(200, { data: [job('job_1')], next_cursor: 'c' });
      const answer = isOver ? reply(200, { data: [job('job_2')] }) : INVALID_CURSOR;
      isOver = true;
      return answer;
    });
    const store = createMemorySyncStore<Job>();
    expect(await client.jobs.sync({ store })).toMatchObject({ kind: 'whole', rows: 2, disappeared: [] });
    expect([...store.rows.keys()]).toEqual(['job_1', 'job_2']);
    isOver = false;
    const broken = clientOf(async (url) =>
      url.includes('cursor') ? INVALID_CURSOR : reply(200, { data: [job('job_1')], next_cursor: 'c' }),
    );
    await expect(broken.jobs.sync({ store, compareEveryMs: 0 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect([...store.rows.keys()]).toEqual(['job_1', 'job_2']);
  });

  test('does not start over after other errors', async () => {
    let requests = 0;
    const errors = [{ field: 'company_id', code: 'invalid_format', message: 'No.' }];
    const refusing = clientOf(async () => {
      requests += 1;
      return reply(422, { error: 'VALIDATION_ERROR', message: 'No.', details: { errors } });
    });
    const store = createMemorySyncStore<Job>();
    await expect(refusing.jobs.sync({ store })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(requests).toBe(1);

    let applied = 0;
    const apply = () => {
      applied += 1;
      return Promise.reject(new Error('The disk is full.'));
    };
    const client = clientOf(async () => reply(200, { data: [job('job_1')] }));
    await expect(client.jobs.sync({ store: { ...store, apply } })).rejects.toThrow('The disk is full.');
    expect(applied).toBe(1);
  });

  test('reads again from the last known X-Updated-Through when a proxy removes this header', async () => {
    const asked: (string | null)[] = [];
    const headers = [{}, { 'x-updated-through': 't-1' }, {}, {}];
    const client = clientOf(async (url) => {
      asked.push(new URL(url).searchParams.get('updated_since'));
      return reply(200, { data: [job('job_1')] }, headers.shift());
    });
    const store = createMemorySyncStore<Job>();
    for (const updatedThrough of [null, 't-1', 't-1', 't-1']) {
      expect(await client.jobs.sync({ store })).toMatchObject({ rows: 1, updatedThrough });
    }
    expect(asked).toEqual([null, null, 't-1', 't-1']);
  });

  test('reads the whole list the first time, whatever compareEveryMs is', async () => {
    const client = clientOf(async () => reply(200, { data: [job('job_1')] }));
    const options = {
      store: createMemorySyncStore<Job>(),
      compareEveryMs: Number.POSITIVE_INFINITY,
    };
    expect(await client.jobs.sync(options)).toMatchObject({ kind: 'whole' });
    expect(await client.jobs.sync(options)).toMatchObject({ kind: 'changes' });
  });

  test('compares the whole list when the last comparison is old, and reports missing rows', async () => {
    let rows = [job('job_1'), job('job_2')];
    const clock = instantClock();
    let pages = 0;
    const client = clientOf(async () => reply(200, { data: rows }, { 'x-updated-through': `t-${++pages}` }), {
      clock,
    });
    const store = createMemorySyncStore<Job>();
    await client.jobs.sync({ store });
    rows = [job('job_2')];
    const changes = { kind: 'changes', rows: 1, disappeared: [] };
    expect(await client.jobs.sync({ store })).toEqual({ ...changes, updatedThrough: 't-2' });
    await clock.sleep(24 * 60 * 60 * 1_000 - 1);
    expect(await client.jobs.sync({ store })).toEqual({ ...changes, updatedThrough: 't-3' });
    await clock.sleep(1);
    expect(await client.jobs.sync({ store })).toMatchObject({ kind: 'whole', disappeared: ['job_1'] });
    expect([...store.rows.keys()]).toEqual(['job_2']);
    expect(await client.jobs.sync({ store })).toMatchObject({ kind: 'changes' });
    expect(await client.jobs.sync({ store, compareEveryMs: 0 })).toMatchObject({ kind: 'whole' });
  });

  test.each([Number.NaN, -1, '1 day' as unknown as number])(
    'refuses compareEveryMs: %j',
    async (compareEveryMs) => {
      const client = clientOf(async () => reply(200, { data: [] }));
      const sync = client.jobs.sync({ store: createMemorySyncStore<Job>(), compareEveryMs });
      await expect(sync).rejects.toThrow(new TypeError('compareEveryMs must be at least 0.'));
    },
  );

  test('compares again when the last comparison is far in the future', async () => {
    const clock = instantClock();
    const client = clientOf(async () => reply(200, { data: [job('job_1')] }), { clock });
    const store = createMemorySyncStore<Job>();
    const comparedIn = (ms: number) =>
      store.apply({
        upserts: [],
        disappeared: [],
        state: { updatedThrough: null, comparedAt: clock.now() + ms },
      });
    // Clocks of two machines differ by seconds.
    await comparedIn(60_000);
    expect(await client.jobs.sync({ store })).toMatchObject({ kind: 'changes' });
    await comparedIn(10 * 365 * 86_400_000);
    expect(await client.jobs.sync({ store })).toMatchObject({ kind: 'whole' });
    expect(await client.jobs.sync({ store })).toMatchObject({ kind: 'changes' });
  });

  test.each([
    ['whole', 0],
    ['changes', 60_000],
  ])(
    'passes companyId to every page, and rejects when its signal aborts (%s)',
    async (kind, compareEveryMs) => {
      const store = createMemorySyncStore<Job>();
      const first = clientOf(async () => reply(200, { data: [] }));
      await first.jobs.sync({ store });
      expect(await first.jobs.sync({ store, compareEveryMs })).toMatchObject({ kind });
      const companies: (string | null)[] = [];
      const ending = new AbortController();
      const client = clientOf(async (url) => {
        companies.push(new URL(url).searchParams.get('company_id'));
        if (companies.length === 1) return reply(200, { data: [], next_cursor: 'c' });
        queueMicrotask(() => ending.abort(new Error('no longer wanted')));
        return new Promise(() => {});
      });
      const options = { store, companyId: 'co_1', signal: ending.signal, compareEveryMs };
      const work = client.jobs.sync(options);
      await expect(work).rejects.toThrow('no longer wanted');
      expect(companies).toEqual(['co_1', 'co_1']);
    },
  );

  test.each([0, undefined])(
    'keeps its state when a page fails, and rejects with the store’s error (compareEveryMs: %s)',
    async (compareEveryMs) => {
      const store = createMemorySyncStore<Job>();
      await clientOf(async () => reply(200, { data: [job('job_1')] })).jobs.sync({ store });
      const before = await store.readState();
      const later = job('job_2', '2026-11-21T12:00:00.000Z');
      const client = clientOf(async (url) =>
        url.includes('cursor') ? reply(401, '') : reply(200, { data: [later], next_cursor: 'c' }),
      );
      const options = compareEveryMs === undefined ? {} : { compareEveryMs };
      await expect(client.jobs.sync({ store, ...options })).rejects.toMatchObject({ code: 'HTTP_401' });
      expect([...store.rows.keys()]).toEqual(['job_1', 'job_2']);
      expect(await store.readState()).toMatchObject({ ...before });
      const full = { ...store, apply: () => Promise.reject(new Error('The disk is full.')) };
      const again = clientOf(async () => reply(200, { data: [later] })).jobs;
      await expect(again.sync({ store: full, ...options })).rejects.toThrow('The disk is full.');
    },
  );

  test.each([
    ['whole', 0, undefined],
    ['changes', undefined, 't-1'],
  ])('saves its progress when it is interrupted (%s)', async (_kind, compareEveryMs, through) => {
    const store = createMemorySyncStore<Job>();
    await clientOf(async () => reply(200, { data: [] }, { 'x-updated-through': 't-0' })).jobs.sync({
      store,
    });
    const before = await store.readState();
    const client = clientOf(async (url) =>
      url.includes('cursor')
        ? reply(401, '')
        : reply(200, { data: [job('job_1')], next_cursor: 'c' }, { 'x-updated-through': 't-1' }),
    );
    const options = compareEveryMs === undefined ? {} : { compareEveryMs };
    await expect(client.jobs.sync({ store, ...options })).rejects.toMatchObject({ code: 'HTTP_401' });
    expect(await store.readState()).toMatchObject(
      through === undefined ? { ...before } : { ...before, updatedThrough: through },
    );
  });

  test.each(['whole', 'changes'])('counts all rows, and applies no `id` twice (%s)', async (kind) => {
    const memory = createMemorySyncStore<Job>();
    if (kind === 'changes') await clientOf(async () => reply(200, { data: [] })).jobs.sync({ store: memory });
    const upserts: (readonly string[])[] = [];
    const apply: typeof memory.apply = (change) => {
      upserts.push(change.upserts.map(({ id, updatedAt }) => `${id} ${updatedAt}`));
      return memory.apply(change);
    };
    const client = clientOf(async (url) =>
      url.includes('cursor')
        ? reply(200, { data: [job('job_2', 'b')] })
        : reply(200, { data: [job('job_1', 'a'), job('job_1', 'b')], next_cursor: 'c' }),
    );
    expect(await client.jobs.sync({ store: { ...memory, apply } })).toMatchObject({ kind, rows: 3 });
    expect(upserts).toEqual([['job_1 b'], ['job_2 b']]);
  });

  test('calls neither the store nor the service when the signal has already aborted', async () => {
    const asked: string[] = [];
    const client = clientOf(async (url) => {
      asked.push(url);
      return reply(200, { data: [] });
    });
    const memory = createMemorySyncStore<Job>();
    const readState = () => {
      asked.push('the store');
      return memory.readState();
    };
    const reason = new Error('no longer wanted');
    const options = { store: { ...memory, readState }, signal: AbortSignal.abort(reason) };
    await expect(client.jobs.sync(options)).rejects.toBe(reason);
    expect(asked).toEqual([]);
  });

  test('runs calls for the same store in order', async () => {
    const client = clientOf(async () => reply(200, { data: [job('job_1')] }));
    const store = createMemorySyncStore<Job>();
    const reports = await Promise.all([client.jobs.sync({ store }), client.jobs.sync({ store })]);
    expect(reports.map(({ kind }) => kind)).toEqual(['whole', 'changes']);
  });

  test('removes no rows when it fails half way', async () => {
    const store = createMemorySyncStore<Job>();
    await clientOf(async () => reply(200, { data: [job('job_1'), job('job_9')] })).jobs.sync({ store });
    const failing = clientOf(async (url) =>
      url.includes('cursor')
        ? reply(401, { error: 'UNAUTHORIZED', message: 'No.' })
        : reply(200, { data: [job('job_1')], next_cursor: 'c' }),
    );
    await expect(failing.jobs.sync({ store, compareEveryMs: 0 })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect([...store.rows.keys()]).toEqual(['job_1', 'job_9']);
  });
});
