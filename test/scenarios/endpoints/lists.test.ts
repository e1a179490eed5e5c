/** Contract: 5. The tests of the routes have each wrong parameter. */

import { createPartner, fieldErrors, ids, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { beginStory, type Story, submitMany } from '@partner-hiring/test-support/story';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

/** One platform with 205 jobs and 205 applications, which the tests only read. */
let story: Story;
beforeAll(async () => {
  story = await beginStory({
    limits: { submit_application: 10_000, list_applications: 10_000, list_jobs: 10_000 },
  });
  const { fixture, partner, companyId, jobId } = story;
  await fixture.operator.jobs.publish(Array.from({ length: 204 }, () => ({ companyId, ...WAREHOUSE_JOB })));
  await submitMany(partner, jobId, 205);
});
afterAll(() => story.fixture.close());

/** Follows `next_cursor` to the end. */
async function readAll(path: string): Promise<readonly string[]> {
  const seen: string[] = [];
  let cursor: unknown;
  do {
    const separator = path.includes('?') ? '&' : '?';
    const reply = await story.partner.get(
      cursor === undefined ? path : `${path}${separator}cursor=${String(cursor)}`,
    );
    expect(reply.status).toBe(200);
    seen.push(...ids(reply));
    cursor = reply.json.next_cursor;
  } while (cursor !== undefined);
  return seen;
}

describe.each(['/jobs', '/applications'])('GET %s', (path) => {
  it('returns 50 rows by default', async () => {
    expect(ids(await story.partner.get(path))).toHaveLength(50);
  });

  it('returns one row with a limit of 1', async () => {
    expect(ids(await story.partner.get(`${path}?limit=1`))).toHaveLength(1);
  });

  it.each(['200', '201', '999999999999999999999999999999'])(
    'returns at most 200 rows with a limit of %s',
    async (limit) => {
      expect(ids(await story.partner.get(`${path}?limit=${limit}`))).toHaveLength(200);
    },
  );

  it('leads through all rows once by cursor; next_cursor is absent at the end', async () => {
    const all = await readAll(`${path}?limit=50`);
    expect(all).toHaveLength(205);
    expect(new Set(all).size).toBe(205);
    const whole = await story.partner.get(`${path}?limit=200`);
    const last = await story.partner.get(`${path}?limit=200&cursor=${String(whole.json.next_cursor)}`);
    expect(Object.keys(last.json)).toEqual(['data']);
  });

  it('binds a cursor to key, endpoint and filters; anything else is 422 invalid_cursor', async () => {
    const cursor = String((await story.partner.get(`${path}?limit=1`)).json.next_cursor);
    const other = await createPartner(story.fixture);
    const elsewhere = path === '/jobs' ? '/applications' : '/jobs';
    const replies = [
      await story.partner.get(`${path}?cursor=${cursor}&company_id=${story.companyId}`),
      await story.partner.get(`${path}?cursor=${cursor}&updated_since=2026-01-05T09:00:00Z`),
      await story.partner.get(`${path}?cursor=${cursor}&status=${path === '/jobs' ? 'open' : 'received'}`),
      await story.partner.get(`${elsewhere}?cursor=${cursor}`),
      await other.get(`${path}?cursor=${cursor}`),
      await story.partner.get(`${path}?cursor=junk`),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(422);
      expect(fieldErrors(reply)).toEqual(['cursor: invalid_cursor']);
    }
  });

  it('has cursors that, decoded, show no id of the key, the company, the partner or a row (decision 18)', async () => {
    const page = await story.partner.get(`${path}?limit=1&company_id=${story.companyId}`);
    const cursor = String(page.json.next_cursor);
    const found = await story.fixture.operator.keys.find({ id: story.partner.keyId });
    const internal = [
      story.partner.keyId,
      found?.key.partnerId ?? '',
      story.companyId,
      story.jobId,
      ...ids(page),
    ];
    const decoded = Buffer.from(cursor, 'base64url');
    const readable = [
      cursor,
      ...(['latin1', 'utf8', 'utf16le', 'hex'] as const).map((as) => decoded.toString(as)),
    ];
    expect(internal.filter((id) => /^[a-z_]+_.{4,}$/.test(id))).toHaveLength(internal.length);
    for (const id of internal) {
      const withoutPrefix = id.slice(id.lastIndexOf('_') + 1);
      for (const text of readable) expect(text).not.toContain(withoutPrefix);
    }
  });

  it('is restricted by company_id to one company; one without access gives an empty list, no error', async () => {
    expect(ids(await story.partner.get(`${path}?company_id=${story.companyId}&limit=200`))).toHaveLength(200);
    const reply = await story.partner.get(`${path}?company_id=co_unknown`);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ data: [] });
  });

  it('returns with updated_since what changed strictly after it, to the millisecond', async () => {
    const page = await story.partner.get(`${path}?limit=10`);
    const through = page.headers.get('x-updated-through');
    const since = await story.partner.get(`${path}?updated_since=${through}&limit=200`);
    expect(ids(since)).toHaveLength(195);
    expect(ids(since)).not.toContain(ids(page).at(-1));
  });
});

it('GET /applications status: lists what is in it', async () => {
  const { fixture, partner, jobId } = await beginStory();
  onTestFinished(() => fixture.close());
  const submitted = await submitMany(partner, jobId, 4);
  const [, inProgress, accepted, rejected] = submitted as readonly `ej_app_${string}`[];
  for (const id of [inProgress, accepted, rejected] as const) {
    if (id) await fixture.operator.applications.move({ id });
  }
  for (const [id, decision] of [
    [accepted, 'accepted'],
    [rejected, 'rejected'],
  ] as const) {
    if (id) await fixture.operator.applications.decide({ id, decision });
  }
  const listed = [];
  for (const status of ['received', 'in_progress', 'accepted', 'rejected']) {
    listed.push(...ids(await partner.get(`/applications?status=${status}`)));
  }
  expect(listed).toEqual(submitted);
});
