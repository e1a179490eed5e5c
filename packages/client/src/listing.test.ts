import {
  all,
  BASE,
  clientOf,
  instantClock,
  job,
  reply,
  SUBMISSION,
} from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';

describe('a list', () => {
  test('fetches pages as needed, with its filters on each page', async () => {
    const urls: string[] = [];
    const client = clientOf(async (url) => {
      urls.push(url.slice(BASE.length));
      const cursor = new URL(url).searchParams.get('cursor');
      return reply(
        200,
        cursor === null ? { data: [job('job_1')], next_cursor: 'c+1' } : { data: [job('job_2')] },
        {
          'x-request-id': `r-${urls.length}`,
          'x-updated-through': `t-${urls.length}`,
        },
      );
    });
    const list = client.jobs.list({ companyId: 'co_1', updatedSince: new Date('2026-11-21T00:00:00Z') });
    for await (const { id } of list) if (id === 'job_1') break;
    expect(urls).toHaveLength(1);
    const pages = await all(list.pages());
    expect(pages).toMatchObject([
      { nextCursor: 'c+1', updatedThrough: 't-2', requestId: 'r-2' },
      { nextCursor: null, updatedThrough: 't-3', requestId: 'r-3' },
    ]);
    const filter = '/jobs?limit=200&updated_since=2026-11-21T00%3A00%3A00.000Z&company_id=co_1';
    expect(urls.slice(1)).toEqual([filter, `${filter}&cursor=c%2B1`]);
  });

  test('starts at a cursor, with a filter and a page size', async () => {
    const urls: string[] = [];
    const client = clientOf(async (url) => {
      urls.push(url.slice(BASE.length));
      return reply(200, { data: [] });
    });
    const list = client.applications.list({ cursor: 'c+1', status: 'rejected', limit: 7 });
    expect(await all(list.pages())).toEqual([
      { rows: [], nextCursor: null, updatedThrough: null, requestId: null },
    ]);
    expect(urls).toEqual(['/applications?limit=7&status=rejected&cursor=c%2B1']);
  });

  test.each([
    ['not an object', null],
    ['an object without rows', {}],
    ['a page with a null row', { data: [job('job_1'), null] }],
    ['a page with a row without an id', { data: [job('job_1'), { updatedAt: '2026-11-21T09:00:00.000Z' }] }],
  ])('retries when the response is %s', async (_, body) => {
    const answers = [reply(200, body)];
    const client = clientOf(async () => answers.shift() ?? reply(200, { data: [job('job_2')] }));
    expect(await all(client.jobs.list())).toMatchObject([{ id: 'job_2' }]);
  });

  test('learns each job’s company before it yields the job, so submissions share the company’s limit', async () => {
    const clock = instantClock();
    const begun = clock.now();
    const sentAfter: number[] = [];
    const usedUp = {
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(begun / 1_000 + 30),
    };
    const client = clientOf(
      async (url, { body }) => {
        if (url.includes('/jobs')) return reply(200, { data: [job('job_1'), job('job_2')] });
        sentAfter.push(clock.now() - begun);
        return reply(201, { id: 'ej_app_1', ...JSON.parse(String(body)) }, usedUp);
      },
      { clock },
    );
    for await (const { id } of client.jobs.list()) {
      await client.applications.submit({ ...SUBMISSION, jobId: id, sourceApplicationId: id });
    }
    expect(sentAfter).toEqual([0, 30_000]);
  });

  test.each([
    ['has itself as its next page', 'the start', ['a']],
    ['leads back to an earlier page', 'the start', ['a', 'b', 'c', 'a']],
    ['leads back to the cursor that the listing began with', 'a cursor', ['b', 'c', 'start']],
  ])('rejects when a page %s, from %s', async (_what, from, cursors) => {
    const left = [...cursors];
    const client = clientOf(async () =>
      reply(200, { data: [job('job_1')], next_cursor: left.shift() ?? 'a' }, { 'x-request-id': 'r-1' }),
    );
    const listing = client.jobs.list(from === 'a cursor' ? { cursor: 'start' } : {});
    const reading = all(listing);
    await expect(reading).rejects.toMatchObject({ reason: 'invalid_answer', requestId: 'r-1' });
    await expect(reading).rejects.toThrow('The list does not end: its pages lead back to an earlier page.');
  });

  test('rejects when a hundred pages in a row are empty, but not before', async () => {
    const listing = (empty: number) => {
      let page = 0;
      return clientOf(async () => {
        page += 1;
        const data = page % (empty + 1) === 0 ? [job(`job_${page}`)] : [];
        return reply(200, page === 250 ? { data } : { data, next_cursor: `c-${page}` });
      }).jobs.list();
    };
    expect(await all(listing(99))).toHaveLength(2);
    await expect(all(listing(100))).rejects.toThrow('The list does not end: 100 pages in a row are empty.');
  });

  test('gives all rows as an array', async () => {
    const client = clientOf(async (url) =>
      url.includes('cursor')
        ? reply(200, { data: [job('job_2')] })
        : reply(200, { data: [job('job_1')], next_cursor: 'c' }),
    );
    expect((await client.jobs.list().toArray()).map(({ id }) => id)).toEqual(['job_1', 'job_2']);
  });

  test('rejects a time that is a number, and says how to pass it', async () => {
    const client = clientOf(async () => reply(200, { data: [] }));
    const updatedSince = Date.parse('2026-11-21T00:00:00Z') as unknown as Date;
    await expect(all(client.jobs.list({ updatedSince }))).rejects.toThrow(
      new TypeError('updatedSince must be text or a Date, but is a number. Pass a Date.'),
    );
  });
});
