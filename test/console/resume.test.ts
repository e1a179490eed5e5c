/** The page of an application says when its résumé is tried again, and stops that. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import type { ResumeDownload } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { ADMIN, openPlatform, visit } from './platform.js';
import { noticeOf } from './seed.js';

let download: ResumeDownload;
const platform = perTest(
  () => {
    download = { kind: 'failed', reason: 'bad_status', retryable: true };
    return openPlatform({ resumeSource: { fetch: async () => download, close: async () => {} } });
  },
  ({ close }) => close(),
);

async function tryAgain(): Promise<string> {
  const { fixture, alan } = platform;
  await fixture.pass(2 * 60 * 60_000, 60_000);
  await fixture.operator.applications.updateResume({ id: alan, fetch: 'again' });
  await fixture.partnerHiring.worker.drain();
  return `/console/applications/${alan}`;
}

it('says when a résumé is tried again, and stops that', async () => {
  const { fixture, alan } = platform;
  const page = await tryAgain();
  const visitor = visit(fixture);
  const dueAt = new Date(fixture.clock.now() + 60_000).toISOString();
  const { text } = await visitor.get(page);
  expect(text).toMatch(/pending<\/span> tried again at <time[^>]*>/);
  expect(text).toContain(dueAt.slice(0, 16));
  expect(text).not.toContain('Fetch the résumé again');
  expect(text).toContain('Stop fetching the résumé');

  expect(noticeOf(await visitor.post(`${page}/stop-resume`))).toBe('The résumé is not fetched any more.');
  expect(noticeOf(await visitor.post(`${page}/stop-resume`))).toBe('No download of the résumé waits.');
  const stopped = (await visitor.get(page)).text;
  expect(stopped).toContain('Fetch the résumé again');
  expect(stopped).not.toContain('Stop fetching the résumé');
  const { items } = await fixture.operator.audit.list({
    object: { kind: 'application', id: alan },
    limit: 1,
  });
  expect(items).toMatchObject([{ act: 'applications.updateResume', actor: { id: ADMIN.id } }]);
});

it('shows the detail of a failure to those who may see candidates', async () => {
  download = { kind: 'failed', reason: 'unsupported_content', retryable: false, detail: 'a short text' };
  const page = await tryAgain();
  const visitor = visit(platform.fixture);
  expect((await visitor.get(page)).text).toContain('unsupported content');
  expect((await visitor.post(`${page}/reveal`)).text).toContain('unsupported content: a short text');
  visitor.become({ ...ADMIN, rights: CONSOLE_RIGHTS.viewer });
  expect((await visitor.get(page)).text).not.toContain('a short text');
});

it('offers no stop to those who may not fetch', async () => {
  const page = await tryAgain();
  const visitor = visit(platform.fixture);
  visitor.become({ ...ADMIN, rights: CONSOLE_RIGHTS.viewer });
  expect((await visitor.get(page)).text).not.toContain('Stop fetching');
});
