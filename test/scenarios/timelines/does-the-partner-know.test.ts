/** Whether a partner knows of a change, each answered by one call. Decisions 129 and 130. */
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import type { ApplicationId } from '../../../packages/core/src/domain/ids.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, toIso } from '../../../packages/core/src/domain/time.js';
import { kindsOf, openQuestionStage } from './questions-stage.js';

const stage = perTest(openQuestionStage, ({ close }) => close());

describe('"Why did this partner not hear that the candidate was hired?"', () => {
  it('Its endpoint answered 410, so it is paused.', async () => {
    const id = await stage.submit();
    stage.transport.answerWith(() => answered(410));
    await stage.hire(id);
    await stage.clock.advance(1_000);
    await stage.drain();
    const { news, entries } = await stage.timeline(id);
    expect(news).toMatchObject({ state: 'paused', knownSince: null });
    expect(news.text).toMatch(
      /^The endpoint is paused since .* \(gone\)\. The last attempt failed at .*: status 410\./,
    );
    expect(news.text).toContain('endpoints.resume');
    expect(kindsOf(entries)).toEqual(['submitted', 'request', 'command', 'command', 'event', 'attempt']);
  });

  it('All ten attempts failed.', async () => {
    const id = await stage.submit();
    stage.transport.answerWith((request) => (request.body.includes('job.') ? answered(200) : answered(500)));
    await stage.hire(id);
    for (let day = 0; day < 6; day += 1) {
      // Successes of other events keep the endpoint from being paused.
      await stage.record(1);
      await stage.pass(DAY_MS, HOUR_MS);
    }
    const { news, entries } = await stage.timeline(id);
    expect(news).toMatchObject({ state: 'dead', knownSince: null });
    expect(news.text).toMatch(
      /^All 10 attempts failed\. The last attempt failed at .*: status 500\. deliveries\.resend/,
    );
    expect(entries.filter(({ kind }) => kind === 'attempt')).toHaveLength(10);
  });

  it('It will be told at the next attempt.', async () => {
    const id = await stage.submit();
    stage.transport.answerWith(() => answered(503));
    await stage.hire(id);
    await stage.drain();
    const { news } = await stage.timeline(id);
    expect(news).toMatchObject({ state: 'waiting', knownSince: null });
    expect(news.text).toMatch(
      /^The next attempt is due at .*Z\. The last attempt failed at .*: status 503\./,
    );
  });

  it('The host cancelled the delivery.', async () => {
    const id = await stage.submit();
    stage.transport.answerWith(() => answered(503));
    await stage.hire(id);
    await stage.drain();
    const {
      items: [event],
    } = await stage.operator.deliveries.list({ applicationId: id });
    await stage.operator.deliveries.cancel({ keyId: stage.keyId, eventId: event?.eventId ?? 'evt_' });
    expect((await stage.timeline(id)).news).toMatchObject({ state: 'cancelled', knownSince: null });
  });

  it('Its key had no endpoint, and it has not read its list since.', async () => {
    const silent = await createPartner(stage, { endpoint: false });
    const { jobId: theirs } = await createEmployer(stage, silent);
    const reply = await silent.submit(submission(theirs));
    const { id } = reply.json as { readonly id: ApplicationId };
    await silent.get('/applications');
    await stage.clock.advance(MINUTE_MS);
    await stage.hire(id);
    const { news } = await stage.timeline(id);
    expect(news).toMatchObject({ state: 'no_endpoint', knownSince: null });
    expect(news.text).toMatch(
      /endpoints\.setUrl creates one\. The key last read GET \/applications at .*, with all changes up to /,
    );
    await stage.clock.advance(MINUTE_MS);
    await silent.get('/applications');
    const readAt = stage.clock.now();
    expect((await stage.timeline(id)).news).toMatchObject({ state: 'read', knownSince: readAt });
  });

  it('Only a decision causes an event.', async () => {
    const id = await stage.submit();
    await stage.operator.applications.move({ id });
    const { news } = await stage.timeline(id);
    expect(news).toMatchObject({ state: 'no_event', knownSince: null });
    expect(news.text).toContain('The request log has no read of GET /applications by this key.');
  });

  it('The event is no longer stored.', async () => {
    const id = await stage.submit();
    await stage.hire(id);
    await stage.drain();
    await stage.pass(40 * DAY_MS, DAY_MS);
    expect((await stage.timeline(id)).news).toMatchObject({ state: 'expired', knownSince: null });
  });
});

it('"The partner says that the webhook never came. Did it?"', async () => {
  const id = await stage.submit();
  await stage.hire(id);
  stage.transport.answerWith(() => answered(202));
  await stage.clock.advance(5_000);
  await stage.drain();
  const { news, entries } = await stage.timeline(id);
  const deliveredAt = stage.clock.now();
  expect(news).toMatchObject({ state: 'delivered', knownSince: deliveredAt });
  expect(news.text).toBe(`The partner's endpoint accepted the event at ${toIso(deliveredAt)} with 202.`);
  expect(entries.at(-1)).toMatchObject({ kind: 'delivered', at: deliveredAt, evidence: { status: 202 } });
});

describe('"Has the partner read the change in its list?"', () => {
  it('It has, in this minute.', async () => {
    const id = await stage.submit();
    await stage.partner.get('/applications');
    const firstAt = stage.clock.now();
    await stage.clock.advance(MINUTE_MS);
    await stage.operator.applications.move({ id });
    await stage.clock.advance(MINUTE_MS);
    const before = await stage.timeline(id);
    expect(before.entries.filter(({ kind }) => kind === 'read')).toMatchObject([{ at: firstAt }]);
    expect(before.news.state).toBe('no_event');
    await stage.partner.get('/applications');
    const secondAt = stage.clock.now();
    const { entries, news } = await stage.timeline(id);
    expect(entries.filter(({ kind }) => kind === 'read')).toMatchObject([{ at: firstAt }, { at: secondAt }]);
    expect(news).toMatchObject({ state: 'read', knownSince: secondAt });
  });

  it('It has not: it only read what is newer, or only one status.', async () => {
    const id = await stage.submit();
    await stage.hire(id);
    stage.transport.answerWith(() => answered(503));
    await stage.drain();
    const since = toIso(stage.clock.now() + 1);
    await stage.clock.advance(MINUTE_MS);
    await stage.submit();
    await stage.partner.get(`/applications?updated_since=${since}`);
    await stage.partner.get('/applications?status=received');
    expect((await stage.timeline(id)).news).toMatchObject({ state: 'waiting', knownSince: null });
    // All of the list, so that the reads of this minute have no gap.
    await stage.partner.get('/applications');
    expect((await stage.timeline(id)).news).toMatchObject({ state: 'read' });
  });
});
