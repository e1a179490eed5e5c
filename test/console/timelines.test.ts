/** The timelines of the console, for people who do not know the API. */

import { randomUUID } from 'node:crypto';
import { send, submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openPlatform, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

/** Returns the sentences of a page's timeline, in their order. */
function sentencesOf(page: string): readonly string[] {
  const timeline = page.slice(page.indexOf('<h2>Timeline</h2>'));
  return [...timeline.matchAll(/<h3>(.*?)<\/h3>|<li class="\w+"><time[^>]*>[^<]*<\/time><div>([^<]*)/g)].map(
    ([, title, sentence]) => (title ?? sentence ?? '').trim(),
  );
}

it('says what people did and what happened in one order, newest first, with reasons and details on demand', async () => {
  const { fixture, alan } = platform;
  const rosa = fixture.operator.as({ id: 'user_7', name: 'Rosa', reason: 'phone screen' });
  await rosa.applications.move({ id: alan, stage: 'video_interview' });
  await fixture.pass(1_000);
  await fixture.operator
    .as({ id: 'user_8', name: 'Kim' })
    .applications.move({ id: alan, stage: 'final_review' });
  const { text } = await visit(fixture).get(`/console/applications/${alan}`);
  expect(sentencesOf(text)).toEqual([
    'Kim moved the application (final review).',
    'Rosa moved the application (video interview). Reason: phone screen.',
    expect.stringMatching(/^The résumé could not be fetched: too large\.$/),
    'Acme ATS (production) submitted a candidate.',
    'The platform accepted the submission.',
  ]);
  expect(text).toMatch(/<summary>Details<\/summary>.*stage: video interview → final review/s);
});

it('shows in the timeline and the audit of an application that somebody resent its event', async () => {
  const { fixture, ada, acme } = platform;
  const {
    items: [told],
  } = await fixture.operator.deliveries.list({ applicationId: ada });
  const eventId = told?.eventId as `evt_${string}`;
  const { deliveries } = fixture.operator.as({ id: 'user_7', name: 'Rosa' });
  await deliveries.resend({ keyId: acme.keyId, eventIds: [eventId] });
  await fixture.pass(1_000);
  await deliveries.resend({ keyId: acme.keyId, eventIds: [eventId] });
  await deliveries.cancel({ keyId: acme.keyId, eventId });
  const visitor = visit(fixture);
  const sentences = sentencesOf((await visitor.get(`/console/applications/${ada}`)).text);
  expect(sentences.filter((sentence) => sentence.startsWith('Rosa'))).toEqual([
    'Rosa cancelled the delivery.',
    'Rosa resent events.',
    'Rosa resent events.',
  ]);
  const audit = await visitor.post('/console/audit', { kind: 'application', id: ada });
  expect(audit.text).toContain('Resent events');
});

const BARBARA = {
  firstName: 'Barbara',
  lastName: 'Liskov',
  email: 'barbara@example.org',
  phone: '+14155550127',
};

it('says of an application that waits in the inbox that staff can act on it already', async () => {
  const { fixture, acme } = platform;
  await fixture.operator.inbox.turn({ on: true });
  const { secret } = await fixture.operator.keys.rotate({ id: acme.keyId });
  const reply = await send(fixture, 'POST', '/applications', {
    headers: {
      authorization: `Bearer ${secret}`,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify(submission(acme.jobId, { candidate: BARBARA, sourceApplicationId: 'ats-4799' })),
  });
  expect(reply.status).toBe(201);
  const { text } = await visit(fixture).get(`/console/applications/${reply.json.id}`);
  expect(sentencesOf(text)).toContain(
    'The platform’s own system has not fetched the application from the inbox yet. Staff can act on it here already.',
  );
});

it('folds the events of an import', async () => {
  const { fixture, acme } = platform;
  const companyId = acme.companyId as `co_${string}`;
  await fixture.operator.jobs.publish(Array.from({ length: 12 }, () => ({ ...WAREHOUSE_JOB, companyId })));
  await fixture.pass(1_000);
  const { text } = await visit(fixture).get(`/console/keys/${acme.keyId}`);
  const sentences = sentencesOf(text);
  const opened = sentences.findIndex((sentence) => sentence.startsWith('“Job opened” was recorded'));
  expect(sentences[opened]).toBe('“Job opened” was recorded for the partner. It was delivered.');
  expect(text).toMatch(/<summary>1[1-9] more like this<\/summary>/);
});

it('shows what happened before by a link without milliseconds', async () => {
  const { fixture, acme } = platform;
  const id = acme.jobId as `job_${string}`;
  for (let turn = 0; turn < 60; turn += 1) {
    await fixture.operator.jobs.close({ id });
    await fixture.operator.jobs.reopen({ id });
    await fixture.pass(1_000);
  }
  const visitor = visit(fixture);
  const page = await visitor.get(`/console/jobs/${id}`);
  const [, href = ''] = /href="([^"]*until=[^"]*)"/.exec(page.text) ?? [];
  expect(href).toMatch(/\?until=2026-01-05T[\d%A]+\.\d+Z$/);
  const before = await visitor.get(href);
  expect(before.status).toBe(200);
  const [newest, oldest] = [sentencesOf(page.text), sentencesOf(before.text)];
  expect([newest[1], oldest[1]]).toEqual([
    'The platform reopened the job.',
    expect.stringMatching(/^The platform/),
  ]);
});
