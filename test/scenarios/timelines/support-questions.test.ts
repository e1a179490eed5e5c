/** Questions of support, each answered by one call. Decisions 129 and 130. */
import { randomUUID } from 'node:crypto';
import { submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import type { ApplicationId } from '../../../packages/core/src/domain/ids.js';
import { HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import type { TimelineEntry } from '../../../packages/core/src/features/timelines/timeline.js';
import { kindsOf, openQuestionStage } from './questions-stage.js';

const stage = perTest(openQuestionStage, ({ close }) => close());

it('the timeline answers "Who hired the candidate, and why?"', async () => {
  const id = await stage.submit();
  const lena = stage.operator.as({ id: 'user_7', name: 'Lena', reason: 'Interview of 3 May' });
  await lena.applications.move({ id });
  await stage.clock.advance(1_000);
  await lena.applications.decide({ id, decision: 'accepted' });
  const { entries } = await stage.timeline(id);
  const acts = entries.filter(({ kind }) => kind === 'command').map(({ text }) => text);
  expect(acts.at(-1)).toBe(
    `Lena (user_7) called applications.decide on application ${id}: ` +
      'from {"status":"in_progress","stage":"video_interview"} to {"status":"accepted","stage":"hired"}. Reason: Interview of 3 May.',
  );
});

it('the timeline answers "Did the partner send the candidate twice?"', async () => {
  const fields = { sourceApplicationId: 'ats-7' };
  const { partner } = stage;
  const one = randomUUID();
  const first = await partner.submit(submission(stage.jobId, fields), one);
  const { id } = first.json as { readonly id: ApplicationId };
  await stage.clock.advance(1_000);
  await partner.submit(submission(stage.jobId, fields), one);
  await stage.clock.advance(1_000);
  await partner.submit(submission(stage.jobId, fields), randomUUID());
  const requests = (await stage.timeline(id)).entries.filter((entry) => entry.kind === 'request');
  expect(requests.map(({ request }) => [request.status, request.code, request.isReplay])).toEqual([
    [201, null, false],
    [201, null, true],
    [409, 'DUPLICATE_SOURCE_APPLICATION_ID', false],
  ]);
  expect(requests[1]?.text).toContain('201, the stored reply of an earlier request');
});

it('the timeline answers "Has our own platform received the candidate?"', async () => {
  const { inbox } = stage.operator;
  await inbox.turn({ on: true });
  const id = await stage.submit();
  const items = async () => (await stage.timeline(id)).entries.filter((entry) => entry.kind === 'inbox');
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
  await stage.operator.inbox.turn({ on: true });
  const id = await stage.submit({ resumeUrl: 'https://files.example/cv.pdf' });
  await stage.drain();
  const { entries } = await stage.timeline(id);
  expect(entries.filter(({ kind }) => kind === 'resume' || kind === 'inbox')).toMatchObject([
    { kind: 'inbox', entry: { kind: 'application.submitted' } },
    { kind: 'resume', text: 'The résumé could not be fetched: too_large.' },
    { kind: 'inbox', entry: { kind: 'resume.failed', receivedAt: null } },
  ]);
});

it('"Who closed that job, and does the partner know?"', async () => {
  const { operator, keyId } = stage;
  const applicationId = await stage.submit();
  await operator.as({ id: 'user_9' }).jobs.close({ id: stage.jobId });
  const unknown = await operator.timelines.find({ jobId: stage.jobId, keyId });
  expect(unknown.news).toMatchObject({ state: 'waiting' });
  await stage.clock.advance(1_000);
  await stage.drain();
  const { entries, news } = await operator.timelines.find({ jobId: stage.jobId, keyId });
  expect(kindsOf(entries)).toEqual(['command', 'submitted', 'command', 'event', 'delivered']);
  expect(entries[1]).toMatchObject({ applicationId });
  expect(entries[2]?.text).toMatch(/^user_9 called jobs\.close on job /);
  expect(news).toMatchObject({ state: 'delivered', knownSince: stage.clock.now() });
  const whole = await operator.timelines.find({ jobId: stage.jobId });
  expect(kindsOf(whole.entries)).toEqual(['command', 'submitted', 'command']);
  expect(whole.news).toBeNull();
});

it('the timeline answers "Has the partner noticed the new salary of the job?"', async () => {
  const { operator, keyId } = stage;
  await operator.jobs.update({ id: stage.jobId, changes: { title: 'Night picker' } });
  expect((await operator.timelines.find({ jobId: stage.jobId, keyId })).news).toMatchObject({
    state: 'no_event',
  });
  await stage.clock.advance(1_000);
  await stage.partner.get('/jobs');
  const { news, entries } = await operator.timelines.find({ jobId: stage.jobId, keyId });
  expect(news).toMatchObject({ state: 'read', knownSince: stage.clock.now() });
  expect(entries.at(-1)).toMatchObject({ kind: 'read' });
});

it('"Why does the partner get nothing any more?"', async () => {
  const { operator, keyId } = stage;
  await stage.partner.submit('{');
  stage.transport.answerWith(() => answered(410));
  await stage.record(1);
  await stage.drain();
  const { entries } = await operator.timelines.find({ keyId, since: stage.clock.now() - HOUR_MS });
  const [refused] = entries.filter((entry) => entry.kind === 'request');
  expect(refused).toMatchObject({ request: { code: 'VALIDATION_ERROR', status: 422 } });
  const acts = entries.filter(({ kind }) => kind === 'command').map(({ text }) => text);
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
  const { entries } = await operator.timelines.find({ keyId });
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
    const whole = await operator.timelines.find({ keyId });
    expect(whole.completeFrom).toBeNull();
    const parts: TimelineEntry[][] = [];
    for (let until: number | null = stage.clock.now() + 1; until !== null; ) {
      const part: { readonly entries: readonly TimelineEntry[]; readonly completeFrom: number | null } =
        await operator.timelines.find({ keyId, limit: 7, until });
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
    const { timelines } = stage.operator;
    await expect(timelines.find({ applicationId: 'ej_app_none' })).rejects.toMatchObject({
      code: 'APPLICATION_NOT_FOUND',
    });
    await expect(timelines.find({ keyId: 'key_none' })).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
    await expect(timelines.find({ jobId: 'job_none' })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await expect(timelines.find({ jobId: stage.jobId, keyId: 'key_none' })).rejects.toMatchObject({
      code: 'KEY_NOT_FOUND',
    });
    for (const target of [{}, { applicationId: 'ej_app_1', keyId: stage.keyId }]) {
      await expect(timelines.find(target as never)).rejects.toThrow(/must have `applicationId`, `jobId`/);
    }
    await expect(timelines.find({ keyId: stage.keyId, limit: 0 })).rejects.toThrow(/limit must be/);
    await expect(timelines.find({ keyId: stage.keyId, since: 'x' as never })).rejects.toThrow(
      /since must be/,
    );
  });

  it('holds nothing of an erased candidate', async () => {
    await stage.operator.inbox.turn({ on: true });
    const id = await stage.submit({ resumeUrl: 'https://files.example/cv.pdf' });
    await stage.operator.candidates.erase({ applicationId: id });
    const { entries } = await stage.timeline(id);
    expect(kindsOf(entries)).toEqual(['submitted', 'request', 'command']);
    expect(JSON.stringify(entries)).not.toContain('files.example');
  });
});
