/** Contract: 8.14. Lower limits of one key, for a time. */
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Reply,
  rateOf,
  send,
  submission,
  times,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { type Story, useStory } from '@partner-hiring/test-support/story';
import { describe, expect, it } from 'vitest';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Limits = Parameters<Story['fixture']['operator']['keys']['lowerLimits']>[0]['perMinute'];

const story = useStory();

function lower(perMinute: Limits, { fixture, partner }: Pick<Story, 'fixture' | 'partner'> = story) {
  return fixture.operator.keys.lowerLimits({
    id: partner.keyId,
    perMinute,
    reason: 'It reads all jobs each second.',
    forMs: HOUR_MS,
  });
}

const lift = () => story.fixture.operator.keys.liftLimits({ id: story.partner.keyId });
const jobs = () => story.partner.get('/jobs');
const submit = () => story.partner.submit(submission(story.jobId));
const shownBy = (replies: readonly Reply[]) =>
  replies.map((reply) => [reply.status, ...rateOf(reply).slice(0, 2)]);

describe('Lower limits of a key', () => {
  it('apply from the next request on, and the headers and the 429 say so', async () => {
    expect(shownBy(await times(2, jobs))).toEqual([
      [200, 60, 59],
      [200, 60, 58],
    ]);
    await lower({ list_jobs: 2 });
    const replies = await times(4, jobs);
    expect(shownBy(replies)).toEqual([
      [200, 2, 1],
      [200, 2, 0],
      [429, 2, 0],
      [429, 2, 0],
    ]);
    expect(replies[2]?.json).toMatchObject({
      error: 'RATE_LIMITED',
      scope: 'partner',
      retryAfter: 60,
    });
    const { headers } = await story.partner.get('/applications');
    expect(headers.get('x-ratelimit-limit')).toBe('60');
    const other = await createPartner(story.fixture);
    expect(rateOf(await other.get('/jobs'))[0]).toBe(60);
  });

  it('go down to one a minute, each minute', async () => {
    await lower({ list_jobs: 1, submit_application: 1 });
    for (const _minute of [1, 2]) {
      expect(shownBy(await times(2, jobs))).toEqual([
        [200, 1, 0],
        [429, 1, 0],
      ]);
      expect(shownBy(await times(2, submit))).toEqual([
        [201, 1, 0],
        [429, 1, 0],
      ]);
      await story.fixture.clock.advance(MINUTE_MS);
    }
  });

  it('end by time, and when they are lifted', async () => {
    await lower({ list_jobs: 1 });
    await times(2, jobs);
    await story.fixture.clock.advance(HOUR_MS - 1);
    expect(rateOf(await jobs())[0]).toBe(1);
    await story.fixture.clock.advance(1);
    expect(shownBy([await jobs()])).toEqual([[200, 60, 59]]);

    await lower({ list_jobs: 1 });
    expect(shownBy(await times(2, jobs))).toEqual([
      [200, 1, 0],
      [429, 1, 0],
    ]);
    await lift();
    expect(shownBy([await jobs()])[0]?.slice(0, 2)).toEqual([200, 60]);
  });

  it('are multiplied by bootstrap mode', async () => {
    const { keyId } = story.partner;
    await lower({ submit_application: 2 });
    await story.fixture.operator.access.raiseLimit({ keyId, companyId: story.companyId });
    const replies = await times(12, submit);
    expect(rateOf(replies[0] as Reply).slice(0, 2)).toEqual([10, 9]);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    await lift();
    expect(rateOf(await submit())[0]).toBe(50);
  });

  it('count replays and refused requests too, if their limit is lowered', async () => {
    await lower({ guard: 2 });
    const path = '/nothing';
    expect(shownBy(await times(3, () => story.partner.get(path)))).toEqual([
      [404, 2, 1],
      [404, 2, 0],
      [429, 2, 0],
    ]);
    const refused = await submit();
    expect(shownBy([refused])).toEqual([[429, 2, 0]]);
    await lift();
    expect((await submit()).status).toBe(201);
  });

  it('must be lower than the usual ones, which the error names', async () => {
    await lower({ list_jobs: 59, submit_application: 9 });
    await expect(lower({ list_jobs: 60, guard: 1, submit_application: 11 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(
        'perMinute.submit_application must be lower than the usual limit of POST /applications, 10; perMinute.list_jobs must be lower than the usual limit of GET /jobs, 60',
      ),
    });
    const { fixture, partner } = story;
    const found = await fixture.operator.keys.find({ id: partner.keyId });
    expect(found?.key.loweredLimits?.perMinute).toEqual({ list_jobs: 59, submit_application: 9 });
    expect(found?.usualLimits).toMatchObject({ list_jobs: 60, submit_application: 10 });
  });

  it('end at an instant, in a week at most', async () => {
    const { fixture, partner } = story;
    const given = { id: partner.keyId, perMinute: { list_jobs: 1 }, reason: 'R' };
    const now = fixture.clock.now();
    const until = now + 7 * 24 * HOUR_MS;
    const { loweredLimits } = await fixture.operator.keys.lowerLimits({ ...given, until });
    expect(loweredLimits?.until).toBe(until);
    for (const wrong of [{ until: until + 1 }, { until: now - 1 }, { until, forMs: HOUR_MS }, {}])
      await expect(fixture.operator.keys.lowerLimits({ ...given, ...wrong })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
  });

  it('exactly one of 40 parallel submissions to a limit of one', async () => {
    await lower({ submit_application: 1 });
    const replies = await Promise.all(Array.from({ length: 40 }, submit));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(replies.map((reply) => rateOf(reply)[0]))).toEqual(new Set([1]));
  });
});

it('never raise a limit, even if the host has set a lower usual limit since', async () => {
  const clock = createFakeClock();
  const database = await createTestDatabase();
  const first = await createFixture({ storage: await database.open(clock) }, {}, clock);
  const partner = await createPartner(first, { endpoint: false });
  await lower({ list_jobs: 30 }, { fixture: first, partner });
  const storage = await database.open(clock);
  const second = await createFixture({ limits: { list_jobs: 5 }, storage }, {}, clock);
  const headers = { authorization: `Bearer ${partner.secret}` };
  expect(rateOf(await send(second, 'GET', '/jobs', { headers }))[0]).toBe(5);
  for (const fixture of [first, second]) await fixture.close();
  await database.remove();
});

it('a process that remembers a used-up bucket, and one that knows the key, see the change at once', async () => {
  const clock = createFakeClock();
  const database = await createTestDatabase();
  const options = { limits: { list_jobs: 5, submit_application: 3 } };
  const open = async () => createFixture({ ...options, storage: await database.open(clock) }, {}, clock);
  const [one, other] = [await open(), await open()] as const;
  const partner = await createPartner(one, { endpoint: false });
  const { jobId } = await createEmployer(one, partner);
  const headers = { authorization: `Bearer ${partner.secret}` };
  const get = (fixture: typeof one) => send(fixture, 'GET', '/jobs', { headers });
  const post = () => partner.submit(submission(jobId));
  const both = async () => shownBy([await get(one), await get(other)]);

  await times(4, () => get(one));
  expect(await both()).toEqual([
    [200, 5, 0],
    [429, 5, 0],
  ]);
  await lower({ list_jobs: 2, submit_application: 1 }, { fixture: one, partner });
  expect(await both()).toEqual([
    [200, 2, 1],
    [200, 2, 0],
  ]);
  expect(await both()).toEqual([
    [429, 2, 0],
    [429, 2, 0],
  ]);
  expect(shownBy(await times(2, post))).toEqual([
    [201, 1, 0],
    [429, 1, 0],
  ]);
  await other.operator.keys.liftLimits({ id: partner.keyId });
  await clock.advance(MINUTE_MS);
  expect(await both()).toEqual([
    [200, 5, 4],
    [200, 5, 3],
  ]);
  expect(shownBy([await post()])).toEqual([[201, 3, 2]]);
  for (const fixture of [one, other]) await fixture.close();
  await database.remove();
});

it('tells the operator what applies, and the audit who lowered what', async () => {
  const { operator, clock } = story.fixture;
  const { keyId: id } = story.partner;
  const shown = async () => (await operator.keys.find({ id }))?.key.loweredLimits ?? null;
  expect(await lift()).toEqual({ loweredLimits: null, changed: false });
  const { loweredLimits } = await lower({ list_jobs: 6, list_events: undefined });
  expect(loweredLimits).toEqual({
    perMinute: { list_jobs: 6 },
    until: clock.now() + HOUR_MS,
    reason: 'It reads all jobs each second.',
  });
  expect(await shown()).toEqual(loweredLimits);
  await lower({ read_application: 1 });
  expect((await shown())?.perMinute).toEqual({ read_application: 1 });
  await clock.advance(HOUR_MS);
  expect(await shown()).toBeNull();
  expect((await operator.keys.list()).items[0]?.key.loweredLimits).toBeNull();
  expect((await lift()).changed).toBe(false);
  const { items } = await operator.audit.list({ object: { kind: 'key', id } });
  const acts = items.filter(({ act }) => act === 'keys.lowerLimits');
  expect(
    acts.map(({ before, after }) => [before?.list_jobs, after?.list_jobs, after?.read_application]),
  ).toEqual([
    [6, undefined, 1],
    [undefined, 6, undefined],
  ]);
  for (const [perMinute, forMs] of [
    [{}, HOUR_MS],
    [{ list_jobs: 0 }, HOUR_MS],
    [{ list_jobs: 1 }, -1],
    [{ list_jobs: 1 }, 7 * 24 * HOUR_MS + 1],
  ] as const)
    await expect(operator.keys.lowerLimits({ id, perMinute, reason: 'R', forMs })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  await expect(operator.keys.liftLimits({ id: 'key_none' })).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
});
