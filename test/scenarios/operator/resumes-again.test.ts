/** The host reads the state of a résumé, and can retry a failed download. */
import type { ApplicationId, ResumeDownload, ResumeScanResult } from '@partner-hiring/core';
import { settle } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';

const PDF: ResumeDownload = {
  kind: 'fetched',
  bytes: new Uint8Array([37, 80, 68, 70]),
  mediaType: 'application/pdf',
  fileName: 'resume.pdf',
};

let fixture: Fixture;
let urls: string[];
let download: ResumeDownload;
let scan: ResumeScanResult;
let hanging: Promise<void>;
beforeEach(async () => {
  urls = [];
  hanging = Promise.resolve();
  download = { kind: 'failed', reason: 'too_large', retryable: false };
  scan = { kind: 'clean' };
  fixture = await createFixture({
    resumeScanner: { scan: async () => scan },
    resumeSource: {
      fetch: async (url) => {
        urls.push(url);
        await hanging;
        return download;
      },
      close: async () => {},
    },
  });
});
afterEach(() => fixture.close());

async function submit(resume: Readonly<Record<string, unknown>>): Promise<ApplicationId> {
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  const { json } = await partner.submit(submission(jobId, resume));
  await fixture.partnerHiring.worker.drain();
  return json.id as ApplicationId;
}

const resumeOf = async (id: ApplicationId) => (await fixture.operator.applications.find({ id }))?.resume;

it('a failed résumé has a reason, and fetching it again starts all rounds again', async () => {
  const url = 'https://cv.example.org/ada.pdf';
  const id = await submit({ resumeUrl: url });
  expect(await resumeOf(id)).toEqual({ kind: 'failed', reason: 'too_large', failedAt: fixture.clock.now() });
  expect((await fixture.operator.applications.list()).items.map(({ resume }) => resume.kind)).toEqual([
    'failed',
  ]);

  const again = await fixture.operator.applications.updateResume({ id, fetch: 'again' });
  expect(again).toMatchObject({
    changed: true,
    application: { id, resume: { kind: 'pending', attempts: 0 } },
  });
  expect((await fixture.operator.applications.updateResume({ id, fetch: 'again' })).changed).toBe(false);
  download = { kind: 'failed', reason: 'timed_out', retryable: true };
  await fixture.partnerHiring.worker.drain();
  expect(await resumeOf(id)).toEqual({ kind: 'pending', attempts: 1 });
  await fixture.pass(HOUR_MS, MINUTE_MS);
  expect(await resumeOf(id)).toMatchObject({ kind: 'failed', reason: 'timed_out' });
  expect(urls).toEqual([url, url, url, url]);

  download = PDF;
  await fixture.operator.applications.updateResume({ id, fetch: 'again' });
  await fixture.partnerHiring.worker.drain();
  expect(await resumeOf(id)).toMatchObject({ kind: 'fetched', location: `memory:${id}` });
  expect(fixture.resumeFiles).toHaveLength(1);
});

it('a résumé that the scanner rejected has its explanation, and can be fetched again after a false alarm', async () => {
  download = PDF;
  scan = { kind: 'refused', reason: 'Heuristics.PDF.Odd' };
  const id = await submit({ resumeUrl: 'https://cv.example.org/ada.pdf' });
  expect(await resumeOf(id)).toEqual({
    kind: 'failed',
    reason: 'refused_by_scanner',
    detail: 'Heuristics.PDF.Odd',
    failedAt: fixture.clock.now(),
  });
  await fixture.pass(24 * HOUR_MS, HOUR_MS);
  expect([urls.length, fixture.resumeFiles]).toEqual([1, []]);

  scan = { kind: 'clean' };
  await fixture.operator.applications.updateResume({ id, fetch: 'again' });
  await fixture.partnerHiring.worker.drain();
  expect(await resumeOf(id)).toMatchObject({ kind: 'fetched', location: `memory:${id}` });
  expect(await resumeOf(id)).not.toHaveProperty('detail');
});

it('fetching a résumé again wakes a waiting worker', async () => {
  const id = await submit({ resumeUrl: 'https://cv.example.org/ada.pdf' });
  fixture.partnerHiring.worker.start();
  await settle(20);
  download = PDF;
  await fixture.operator.applications.updateResume({ id, fetch: 'again' });
  await settle(20);
  expect(await resumeOf(id)).toMatchObject({ kind: 'fetched' });
});

it('a stop ends a download that is tried again later, and tells the inbox', async () => {
  const { applications } = fixture.operator;
  await fixture.operator.inbox.turn({ on: true });
  download = { kind: 'failed', reason: 'bad_status', retryable: true };
  const id = await submit({ resumeUrl: 'https://cv.example.org/ada.pdf' });
  const dueAt = fixture.clock.now() + MINUTE_MS;
  expect(await applications.find({ id })).toMatchObject({ resume: { kind: 'pending' }, resumeDueAt: dueAt });

  await fixture.clock.advance(1_000);
  const stopped = { kind: 'failed', reason: 'stopped', failedAt: fixture.clock.now() };
  expect(await applications.updateResume({ id, fetch: 'stop' })).toMatchObject({
    changed: true,
    application: { resume: stopped },
  });
  expect((await applications.updateResume({ id, fetch: 'stop' })).changed).toBe(false);
  expect(await applications.find({ id })).toMatchObject({ resume: stopped });
  expect(await applications.find({ id })).not.toHaveProperty('resumeDueAt');
  await fixture.pass(2 * HOUR_MS, MINUTE_MS);
  expect([urls.length, await resumeOf(id)]).toEqual([1, stopped]);
  const kinds = (await fixture.operator.timelines.find({ applicationId: id })).entries.flatMap((entry) =>
    entry.kind === 'inbox' ? [entry.entry.kind] : [],
  );
  expect(kinds).toEqual(['application.submitted', 'resume.failed']);
  const { items } = await fixture.operator.audit.list({ limit: 5 });
  expect(items.map(({ act }) => act)).toContain('applications.updateResume');

  download = PDF;
  await applications.updateResume({ id, fetch: 'again' });
  await fixture.partnerHiring.worker.drain();
  expect(await resumeOf(id)).toMatchObject({ kind: 'fetched' });
  expect((await applications.updateResume({ id, fetch: 'stop' })).changed).toBe(false);
  await expect(applications.updateResume({ id: 'ej_app_none', fetch: 'stop' })).rejects.toMatchObject({
    code: 'APPLICATION_NOT_FOUND',
  });
});

it('a download that is under way when it is stopped does not count', async () => {
  download = { kind: 'failed', reason: 'bad_status', retryable: true };
  const id = await submit({ resumeUrl: 'https://cv.example.org/ada.pdf' });
  await fixture.clock.advance(MINUTE_MS);
  let end = () => {};
  hanging = new Promise((resolve) => {
    end = resolve;
  });
  download = PDF;
  const drained = fixture.partnerHiring.worker.drain();
  await settle(20);
  expect(urls).toHaveLength(2);
  await fixture.operator.applications.updateResume({ id, fetch: 'stop' });
  end();
  await drained;
  expect(await resumeOf(id)).toMatchObject({ kind: 'failed', reason: 'stopped' });
});

it('fetching a résumé again rejects a fetched or missing résumé', async () => {
  const { applications } = fixture.operator;
  const without = await submit({});
  await expect(applications.updateResume({ id: without, fetch: 'again' })).rejects.toMatchObject({
    code: 'ILLEGAL_MOVE',
    message: expect.stringContaining(`Application ${without} has no résumé.`),
  });
  download = PDF;
  const fetched = await submit({ resumeUrl: 'https://cv.example.org/ada.pdf' });
  await expect(applications.updateResume({ id: fetched, fetch: 'again' })).rejects.toMatchObject({
    code: 'ILLEGAL_MOVE',
    message: expect.stringContaining(`The résumé of application ${fetched} was already fetched.`),
  });
  await expect(applications.updateResume({ id: 'ej_app_none', fetch: 'again' })).rejects.toMatchObject({
    code: 'APPLICATION_NOT_FOUND',
  });
});
