/** Questions of support, each answered by one call. Decisions 129 and 130. */
import { randomUUID } from 'node:crypto';
import type { ResumeDownload } from '@partner-hiring/core';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApplicationId, JobId } from '../../../packages/core/src/domain/ids.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, toIso } from '../../../packages/core/src/domain/time.js';
import type { TimelineEntry } from '../../../packages/core/src/operator/timelines/timeline.js';
import { openDeliveryStage } from '../operator/deliveries-stage.js';

const download: ResumeDownload = { kind: 'failed', reason: 'too_large', retryable: false };

const stage = perTest(
  () => openDeliveryStage({ resumeSource: { fetch: async () => download, close: async () => {} } }),
  ({ close }) => close(),
);

let jobId: JobId;

beforeEach(async () => {
  ({ jobId } = (await createEmployer(stage, stage.partner)) as { jobId: JobId });
  await stage.drain();
  await stage.clock.advance(MINUTE_MS);
});

async function submit(
  fields: Readonly<Record<string, unknown>> = {},
  { partner } = stage,
): Promise<ApplicationId> {
  const reply = await partner.submit(submission(jobId, fields));
  expect(reply.status).toBe(201);
  await stage.clock.advance(1_000);
  return (reply.json as { readonly id: ApplicationId }).id;
}

async function hire(id: ApplicationId): Promise<void> {
  await stage.operator.applications.beginEvaluation({ id });
  await stage.clock.advance(1_000);
  await stage.operator.applications.decide({ id, decision: 'accepted' });
}

async function timeline(id: ApplicationId) {
  return stage.operator.applications.timeline({ id });
}

function kindsOf(entries: readonly TimelineEntry[]): readonly string[] {
  return entries.map(({ kind }) => kind);
}

describe('"Why did this partner not hear that the candidate was hired?"', () => {
  it('Its endpoint answered 410, so it is paused.', async () => {
    const id = await submit();
    stage.transport.answerWith(() => answered(410));
    await hire(id);
    await stage.clock.advance(1_000);
    await stage.drain();
    const { news, entries } = await timeline(id);
    expect(news).toMatchObject({ state: 'paused', knownSince: null });
    expect(news.text).toMatch(
      /^The endpoint is paused since .* \(gone\)\. The last attempt failed at .*: status 410\./,
    );
    expect(news.text).toContain('endpoints.resume');
    expect(kindsOf(entries)).toEqual(['submitted', 'request', 'act', 'act', 'event', 'attempt']);
  });

  it('All ten attempts failed.', async () => {
    const id = await submit();
    stage.transport.answerWith((request) => (request.body.includes('job.') ? answered(200) : answered(500)));
    await hire(id);
    for (let day = 0; day < 6; day += 1) {
      // Successes of other events keep the endpoint from being paused.
      await stage.record(1);
      await stage.pass(DAY_MS, HOUR_MS);
    }
    const { news, entries } = await timeline(id);
    expect(news).toMatchObject({ state: 'dead', knownSince: null });
    expect(news.text).toMatch(
      /^All 10 attempts failed\. The last attempt failed at .*: status 500\. deliveries\.redeliver/,
    );
    expect(entries.filter(({ kind }) => kind === 'attempt')).toHaveLength(10);
  });

  it('It will be told at the next attempt.', async () => {
    const id = await submit();
    stage.transport.answerWith(() => answered(503));
    await hire(id);
    await stage.drain();
    const { news } = await timeline(id);
    expect(news).toMatchObject({ state: 'waiting', knownSince: null });
    expect(news.text).toMatch(
      /^The next attempt is due at .*Z\. The last attempt failed at .*: status 503\./,
    );
  });

  it('The host cancelled the delivery.', async () => {
    const id = await submit();
    stage.transport.answerWith(() => answered(503));
    await hire(id);
    await stage.drain();
    const [event] = await stage.operator.applications.events({ id });
    await stage.operator.deliveries.cancel({ keyId: stage.keyId, eventId: event?.event.id ?? 'evt_' });
    expect((await timeline(id)).news).toMatchObject({ state: 'cancelled', knownSince: null });
  });

  it('Its key had no endpoint, and it has not read its list since.', async () => {
    const silent = await createPartner(stage, { endpoint: false });
    const { jobId: theirs } = await createEmployer(stage, silent);
    const reply = await silent.submit(submission(theirs));
    const { id } = reply.json as { readonly id: ApplicationId };
    await silent.get('/applications');
    await stage.clock.advance(MINUTE_MS);
    await hire(id);
    const { news } = await timeline(id);
    expect(news).toMatchObject({ state: 'no_endpoint', knownSince: null });
    expect(news.text).toMatch(
      /endpoints\.setUrl creates one\. The key last read GET \/applications at .*, with all changes up to /,
    );
    await stage.clock.advance(MINUTE_MS);
    await silent.get('/applications');
    const readAt = stage.clock.now();
    expect((await timeline(id)).news).toMatchObject({ state: 'read', knownSince: readAt });
  });

  it('Only a decision causes an event.', async () => {
    const id = await submit();
    await stage.operator.applications.beginEvaluation({ id });
    const { news } = await timeline(id);
    expect(news).toMatchObject({ state: 'no_event', knownSince: null });
    expect(news.text).toContain('The request log has no read of GET /applications by this key.');
  });

  it('The event is no longer stored.', async () => {
    const id = await submit();
    await hire(id);
    await stage.drain();
    await stage.pass(40 * DAY_MS, DAY_MS);
    expect((await timeline(id)).news).toMatchObject({ state: 'expired', knownSince: null });
  });
});

it('"The partner says that the webhook never came. Did it?"', async () => {
  const id = await submit();
  await hire(id);
  stage.transport.answerWith(() => answered(202));
  await stage.clock.advance(5_000);
  await stage.drain();
  const { news, entries } = await timeline(id);
  const deliveredAt = stage.clock.now();
  expect(news).toMatchObject({ state: 'delivered', knownSince: deliveredAt });
  expect(news.text).toBe(`The partner's endpoint accepted the event at ${toIso(deliveredAt)} with 202.`);
  expect(entries.at(-1)).toMatchObject({ kind: 'delivered', at: deliveredAt, evidence: { status: 202 } });
});

describe('"Has the partner read the change in its list?"', () => {
  it('It has, in this minute.', async () => {
    const id = await submit();
    await stage.partner.get('/applications');
    const firstAt = stage.clock.now();
    await stage.clock.advance(MINUTE_MS);
    await stage.operator.applications.beginEvaluation({ id });
    await stage.clock.advance(MINUTE_MS);
    const before = await timeline(id);
    expect(before.entries.filter(({ kind }) => kind === 'read')).toMatchObject([{ at: firstAt }]);
    expect(before.news.state).toBe('no_event');
    await stage.partner.get('/applications');
    const secondAt = stage.clock.now();
    const { entries, news } = await timeline(id);
    expect(entries.filter(({ kind }) => kind === 'read')).toMatchObject([{ at: firstAt }, { at: secondAt }]);
    expect(news).toMatchObject({ state: 'read', knownSince: secondAt });
  });

  it('It has not: it only read what is newer, or only one status.', async () => {
    const id = await submit();
    await hire(id);
    stage.transport.answerWith(() => answered(503));
    await stage.drain();
    const since = toIso(stage.clock.now() + 1);
    await stage.clock.advance(MINUTE_MS);
    await submit();
    await stage.partner.get(`/applications?updated_since=${since}`);
    await stage.partner.get('/applications?status=received');
    expect((await timeline(id)).news).toMatchObject({ state: 'waiting', knownSince: null });
    // All of the list, so that the reads of this minute have no gap.
    await stage.partner.get('/applications');
    expect((await timeline(id)).news).toMatchObject({ state: 'read' });
  });
});

it('"Who hired the candidate, and why?"', async () => {
  const id = await submit();
  const lena = stage.operator.as({ id: 'user_7', name: 'Lena', reason: 'Interview of 3 May' });
  await lena.applications.beginEvaluation({ id });
  await stage.clock.advance(1_000);
  await lena.applications.decide({ id, decision: 'accepted' });
  const { entries } = await timeline(id);
  const acts = entries.filter(({ kind }) => kind === 'act').map(({ text }) => text);
  expect(acts.at(-1)).toBe(
    `Lena (user_7) called applications.decide on application ${id}: ` +
      'from {"status":"in_progress","stage":"video_interview"} to {"status":"accepted","stage":"hired"}. Reason: Interview of 3 May.',
  );
});

it('"Did the partner send the candidate twice?"', async () => {
  const fields = { sourceApplicationId: 'ats-7' };
  const { partner } = stage;
  const one = randomUUID();
  const first = await partner.submit(submission(jobId, fields), one);
  const { id } = first.json as { readonly id: ApplicationId };
  await stage.clock.advance(1_000);
  await partner.submit(submission(jobId, fields), one);
  await stage.clock.advance(1_000);
  await partner.submit(submission(jobId, fields), randomUUID());
  const requests = (await timeline(id)).entries.filter((entry) => entry.kind === 'request');
  expect(requests.map(({ request }) => [request.status, request.code, request.isReplay])).toEqual([
    [201, null, false],
    [201, null, true],
    [409, 'DUPLICATE_SOURCE_APPLICATION_ID', false],
  ]);
  expect(requests[1]?.text).toContain('201, the stored reply of an earlier request');
});

it('"Has our own platform received the candidate?"', async () => {
  const { inbox } = stage.operator;
  await inbox.turnOn();
  const id = await submit();
  const items = async () => (await timeline(id)).entries.filter((entry) => entry.kind === 'inbox');
  expect(await items()).toMatchObject([
    {
      entry: { kind: 'application.submitted', receivedAt: null },
      text: expect.stringContaining('waits in the inbox'),
    },
  ]);
  const taken = await inbox.take();
  expect(taken).toHaveLength(1);
  await stage.clock.advance(2_000);
  await inbox.acknowledge(taken.map((item) => item.id));
  expect(await items()).toMatchObject([
    { at: stage.clock.now(), text: 'The host received the application from its inbox.' },
  ]);
});

it('"Why does the candidate have no résumé?"', async () => {
  await stage.operator.inbox.turnOn();
  const id = await submit({ resumeUrl: 'https://files.example/cv.pdf' });
  await stage.drain();
  const { entries } = await timeline(id);
  expect(entries.filter(({ kind }) => kind === 'resume' || kind === 'inbox')).toMatchObject([
    { kind: 'inbox', entry: { kind: 'application.submitted' } },
    { kind: 'resume', text: 'The résumé could not be fetched: too_large.' },
    { kind: 'inbox', entry: { kind: 'resume.failed', receivedAt: null } },
  ]);
});

it('"Who closed that job, and does the partner know?"', async () => {
  const { operator, keyId } = stage;
  const applicationId = await submit();
  await operator.as({ id: 'user_9' }).jobs.close({ id: jobId });
  const unknown = await operator.jobs.timeline({ id: jobId, keyId });
  expect(unknown.news).toMatchObject({ state: 'waiting' });
  await stage.clock.advance(1_000);
  await stage.drain();
  const { entries, news } = await operator.jobs.timeline({ id: jobId, keyId });
  expect(kindsOf(entries)).toEqual(['act', 'submitted', 'act', 'event', 'delivered']);
  expect(entries[1]).toMatchObject({ applicationId });
  expect(entries[2]?.text).toMatch(/^user_9 called jobs\.close on job /);
  expect(news).toMatchObject({ state: 'delivered', knownSince: stage.clock.now() });
  const whole = await operator.jobs.timeline({ id: jobId });
  expect(kindsOf(whole.entries)).toEqual(['act', 'submitted', 'act']);
  expect(whole.news).toBeNull();
});

it('"Has the partner noticed the new salary of the job?"', async () => {
  const { operator, keyId } = stage;
  await operator.jobs.update({ id: jobId, changes: { title: 'Night picker' } });
  expect((await operator.jobs.timeline({ id: jobId, keyId })).news).toMatchObject({ state: 'no_event' });
  await stage.clock.advance(1_000);
  await stage.partner.get('/jobs');
  const { news, entries } = await operator.jobs.timeline({ id: jobId, keyId });
  expect(news).toMatchObject({ state: 'read', knownSince: stage.clock.now() });
  expect(entries.at(-1)).toMatchObject({ kind: 'read' });
});

it('"Why does the partner get nothing any more?"', async () => {
  const { operator, keyId } = stage;
  await stage.partner.submit('{');
  stage.transport.answerWith(() => answered(410));
  await stage.record(1);
  await stage.drain();
  const { entries } = await operator.keys.timeline({ keyId, since: stage.clock.now() - HOUR_MS });
  const [refused] = entries.filter((entry) => entry.kind === 'request');
  expect(refused).toMatchObject({ request: { code: 'VALIDATION_ERROR', status: 422 } });
  const acts = entries.filter(({ kind }) => kind === 'act').map(({ text }) => text);
  expect(acts.at(-1)).toBe(
    `system:auto-pause called endpoints.pause on endpoint ${keyId}: from {"state":"active"} to {"state":"paused","pausedReason":"gone"}.`,
  );
  expect(entries.filter(({ kind }) => kind === 'event').at(-1)).toMatchObject({
    state: 'pending',
    evidence: null,
  });
  expect(entries.filter(({ kind }) => kind === 'attempt').at(-1)?.text).toMatch(
    /failed after 0 ms: status 410\.$/,
  );
});

it('"When did the partner last read its lists?"', async () => {
  const { operator, keyId, partner } = stage;
  await partner.get('/jobs');
  await stage.clock.advance(3 * MINUTE_MS);
  await partner.get('/jobs');
  await partner.get('/applications');
  const at = stage.clock.now();
  const { entries } = await operator.keys.timeline({ keyId });
  const reads = entries.filter((entry) => entry.kind === 'read');
  expect(reads.map((entry) => [entry.at, entry.reads.route])).toEqual([
    [at, '/jobs'],
    [at, '/applications'],
  ]);
});

describe('a timeline', () => {
  it('is read in parts, without a gap and without an entry twice', async () => {
    const { operator, keyId } = stage;
    for (let number = 0; number < 12; number += 1) {
      await stage.partner.submit('{');
      if (number % 3 === 0) await stage.record(1);
      if (number % 4 === 0) await stage.clock.advance(10);
    }
    await stage.drain();
    const whole = await operator.keys.timeline({ keyId });
    expect(whole.completeFrom).toBeNull();
    const parts: TimelineEntry[][] = [];
    for (let until: number | null = stage.clock.now() + 1; until !== null; ) {
      const part: { readonly entries: readonly TimelineEntry[]; readonly completeFrom: number | null } =
        await operator.keys.timeline({ keyId, limit: 7, until });
      expect(part.entries.length).toBeLessThanOrEqual(7);
      parts.unshift([...part.entries]);
      until = part.completeFrom;
    }
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.flat().map(({ at, text }) => [at, text])).toEqual(
      whole.entries.map(({ at, text }) => [at, text]),
    );
  });

  it('is refused for what does not exist, and for wrong options', async () => {
    const { applications, keys, jobs } = stage.operator;
    await expect(applications.timeline({ id: 'ej_app_none' })).rejects.toMatchObject({
      code: 'APPLICATION_NOT_FOUND',
    });
    await expect(keys.timeline({ keyId: 'key_none' })).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
    await expect(jobs.timeline({ id: 'job_none' })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(jobs.timeline({ id: jobId, keyId: 'key_none' })).rejects.toMatchObject({
      code: 'KEY_NOT_FOUND',
    });
    await expect(keys.timeline({ keyId: stage.keyId, limit: 0 })).rejects.toThrow(/limit must be/);
    await expect(keys.timeline({ keyId: stage.keyId, since: 'x' as never })).rejects.toThrow(/since must be/);
  });

  it('holds nothing of an erased candidate', async () => {
    await stage.operator.inbox.turnOn();
    const id = await submit({ resumeUrl: 'https://files.example/cv.pdf' });
    await stage.operator.candidates.erase({ applicationId: id });
    const { entries } = await timeline(id);
    expect(kindsOf(entries)).toEqual(['submitted', 'request', 'act']);
    expect(JSON.stringify(entries)).not.toContain('files.example');
  });
});
