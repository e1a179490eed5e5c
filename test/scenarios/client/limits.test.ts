/** The client obeys rate limits. Contract: 8, 9.16. */

import { PartnerConnectionError, type SubmitOptions } from '@partner-hiring/client';
import { collect } from '@partner-hiring/test-support/client/collect';
import { submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it, onTestFinished } from 'vitest';
import { candidate } from './candidate.js';
import { withStatus } from './network.js';
import { type ClientStage, openClientStage } from './stage.js';

/** Contract: 8.1 to 8.4. */
const SUBMISSIONS_A_MINUTE = 10;
const MINUTE_MS = 60_000;

const stage = perTest(openClientStage, ({ close }) => close());

const refusals = () => stage.exchanges.filter(({ answered }) => answered === 429);
const minuteOf = ({ at }: { readonly at: number }) => Math.floor(at / MINUTE_MS);

function submitMany(client: ReturnType<ClientStage['client']>, jobId: string, name: string, count: number) {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      client.applications.submit(candidate(jobId, `${name}-${index}`)),
    ),
  );
}

it('follows the rate headers: 35 submissions to one company take four windows without a 429', async () => {
  const { jobId } = await stage.employer();
  await stage.during(submitMany(stage.client(), jobId, 'ats', 35));
  const accepted = stage.exchanges.filter(({ answered }) => answered === 201);
  expect(new Set(accepted.map(minuteOf)).size).toBe(4);
  expect(accepted).toHaveLength(35);
  expect(refusals()).toEqual([]);
});

it('waits for a 429 that another client of its key has caused, and does not delay other companies', async () => {
  const [busy, quiet] = [await stage.employer(), await stage.employer()];
  for (let index = 0; index < SUBMISSIONS_A_MINUTE; index += 1) {
    await stage.partner.submit(submission(busy.jobId));
  }
  const client = stage.client();
  const startedAt = stage.fixture.clock.now();
  const waiting = submitMany(client, busy.jobId, 'busy', 9);
  await stage.during(submitMany(client, quiet.jobId, 'quiet', 9));
  expect(stage.fixture.clock.now() - startedAt).toBeLessThan(MINUTE_MS);
  await stage.during(waiting);

  const quietAttempts = stage.exchanges.filter(({ body }) => body?.includes('"quiet-'));
  expect(quietAttempts.map(({ answered }) => answered)).toEqual(Array(9).fill(201));
  expect(quietAttempts.filter((attempt) => minuteOf(attempt) !== minuteOf({ at: startedAt }))).toEqual([]);
  // Only those sent before the first response.
  expect(refusals().length).toBeGreaterThan(0);
  expect(refusals().length).toBeLessThanOrEqual(8);
  expect(new Set(refusals().map(minuteOf)).size).toBe(1);
});

it('lets all jobs of a known company wait together', async () => {
  const { companyId, jobId } = await stage.employer();
  const other = await stage.fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
  const client = stage.client({ maxConcurrency: 2 });
  for await (const job of client.jobs.list()) expect([jobId, other.id]).toContain(job.id);
  await stage.during(
    Promise.all([submitMany(client, jobId, 'one', 10), submitMany(client, other.id, 'two', 10)]),
  );
  expect(refusals()).toEqual([]);
});

it('learns the company of a job from a 429', async () => {
  const { companyId, jobId } = await stage.employer();
  const other = await stage.fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
  for (let index = 0; index < SUBMISSIONS_A_MINUTE; index += 1) await stage.partner.submit(submission(jobId));
  const client = stage.client({ maxConcurrency: 1 });
  await stage.during(
    Promise.all([submitMany(client, jobId, 'one', 8), submitMany(client, other.id, 'two', 8)]),
  );
  // One for each job, until their company was known.
  expect(refusals()).toHaveLength(2);
});

it('delays all requests after a 429 with the scope partner', async () => {
  const { jobId } = await stage.employer();
  const body = { error: 'RATE_LIMITED', message: 'Too many.', scope: 'partner', retryAfter: 30 };
  let planted = 0;
  stage.intercept((url) => {
    if (planted > 0 || !url.includes('/jobs')) return null;
    planted += 1;
    return withStatus(429, JSON.stringify(body), { 'retry-after': '30' });
  });
  const client = stage.client();
  const startedAt = stage.fixture.clock.now();
  const jobs = (async () => {
    for await (const { id } of client.jobs.list()) return id;
    return null;
  })();
  await stage.fixture.clock.advance(1_000);
  const submitted = client.applications.submit(candidate(jobId, 'ats-1'));
  expect(await stage.during(Promise.all([jobs, submitted]))).toMatchObject([jobId, { outcome: 'created' }]);
  for (const { at } of stage.exchanges) expect(at - startedAt).toBeGreaterThanOrEqual(30_000);
  expect(stage.exchanges).toHaveLength(2);
});

it('says once for each submission how long it waits, and behind how many', async () => {
  const { jobId } = await stage.employer();
  const waits: { readonly id: string | null; readonly ahead: number }[] = [];
  const client = stage.client({
    onWait: ({ reason, sourceApplicationId: id, waitMs, ahead }) => {
      expect(reason).toBe('rate_limit');
      const windows = Math.floor(ahead / SUBMISSIONS_A_MINUTE);
      expect(waitMs).toBeGreaterThan(windows * MINUTE_MS);
      expect(waitMs).toBeLessThanOrEqual((windows + 1) * MINUTE_MS);
      waits.push({ id, ahead });
    },
  });
  await stage.during(submitMany(client, jobId, 'ats', 25));
  expect(waits.map(({ ahead }) => ahead)).toEqual(Array.from({ length: 15 }, (_, ahead) => ahead));
  expect(new Set(waits.map(({ id }) => id)).size).toBe(15);
});

it('carries a backlog of an hour out in one call, which may be stopped and continued', async () => {
  const { jobId } = await stage.employer();
  const count = 8 * SUBMISSIONS_A_MINUTE;
  const stop = new AbortController();
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const submitAll = (options: SubmitOptions) => {
    const { applications } = stage.client();
    const ids = Array.from({ length: count }, (_, index) => `ats-${index}`);
    return stage.during(
      Promise.allSettled(ids.map((id) => applications.submit(candidate(jobId, id), options))),
    );
  };
  const outcomesOf = (results: Awaited<ReturnType<typeof submitAll>>) =>
    results.map((result) => (result.status === 'fulfilled' ? result.value.outcome : result.reason));
  const created = () => stage.exchanges.filter(({ answered }) => answered === 201).length;

  const inTime = outcomesOf(await submitAll({}));
  expect(created()).toBeLessThanOrEqual(6 * SUBMISSIONS_A_MINUTE);
  const late = expect.objectContaining({ name: 'SubmissionPendingError', reason: 'not_sent' });
  expect(inTime.filter((outcome) => outcome !== 'created')).toEqual(Array(count - created()).fill(late));

  const options = { totalTimeoutMs: 7 * 24 * 60 * MINUTE_MS };
  const stopped = submitAll({ ...options, signal: stop.signal });
  while (created() < count - 5) await new Promise((resolve) => setTimeout(resolve, 1));
  stop.abort(new Error('The process ends.'));
  expect(outcomesOf(await stopped)).toContainEqual(new Error('The process ends.'));

  const outcomes = outcomesOf(await submitAll(options));
  expect(outcomes.filter((outcome) => outcome === 'known').length).toBeGreaterThanOrEqual(50);
  expect(outcomes.filter((outcome) => typeof outcome !== 'string')).toEqual([]);
  expect(await stage.applications()).toHaveLength(count);
  expect(warnings).toEqual([]);
});

it('waits at most totalTimeoutMs, and keeps unsent submissions pending', async () => {
  const { jobId } = await stage.employer();
  for (let index = 0; index < SUBMISSIONS_A_MINUTE; index += 1) {
    await stage.partner.submit(submission(jobId));
  }
  const client = stage.client({ totalTimeoutMs: 5_000 });
  await expect(stage.during(client.applications.submit(candidate(jobId, 'refused')))).rejects.toMatchObject({
    name: 'SubmissionPendingError',
    cause: expect.objectContaining({ code: 'RATE_LIMITED', scope: 'partner_company' }),
  });
  const sent = stage.exchanges.length;
  await expect(
    stage.during(client.applications.submit(candidate(jobId, 'never sent'))),
  ).rejects.toMatchObject({
    name: 'SubmissionPendingError',
    cause: expect.objectContaining({ name: PartnerConnectionError.name, reason: 'throttled' }),
  });
  expect(stage.exchanges).toHaveLength(sent);
  await stage.fixture.clock.advance(MINUTE_MS);
  expect(await stage.during(collect(stage.client().applications.resumePending()))).toMatchObject([
    { kind: 'submitted' },
    { kind: 'submitted' },
  ]);
});

it('submits while it reads a long list at its rate limit', async () => {
  const { jobId } = await stage.employer();
  for (let index = 0; index < SUBMISSIONS_A_MINUTE - 1; index += 1) {
    await stage.partner.submit(submission(jobId));
  }
  const client = stage.client();
  const read = (async () => {
    let rows = 0;
    for (let round = 0; round < 8; round += 1) {
      for await (const _ of client.applications.list({ limit: 1 })) rows += 1;
    }
    return rows;
  })();
  const submitted = client.applications.submit(candidate(jobId, 'ats-1'));
  const [rows] = await stage.during(Promise.all([read, submitted]));
  expect(rows).toBeGreaterThanOrEqual(72);
  expect(refusals()).toEqual([]);
  const post = stage.exchanges.find(({ method }) => method === 'POST');
  expect(post).toMatchObject({ answered: 201 });
  expect(stage.exchanges.filter(({ at }) => at > (post?.at ?? 0) + MINUTE_MS / 2).length).toBeGreaterThan(0);
});
