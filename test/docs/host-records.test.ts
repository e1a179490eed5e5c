/** Plays the pages for hosts about the records that explain what happened. */
import type { KeyId, ListedApplication, Page, PartnerHiring, SearchResult } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import { READINESS_ITEMS } from '../../packages/core/src/features/readiness/rules.js';
import { exported, partnerHiringOf } from './exported.js';
import { readPage } from './fences.js';
import { apply, KEY, letIn, PATH, startGone } from './host.js';
import { tell } from './tell.js';

tell('docs/find.md', async (open) => {
  const page = open({ filling: { job_4711: 'job_01k2f7', 'acme-4711': 'source-1' }, env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  const named = { lastName: 'García' };
  const id = await apply(`http://localhost${PATH}`, secret, { named, send: partnerHiring.fetch });
  await partnerHiring.operator.applications.move({ id });
  const found = await page.play();
  expect(page.printed()).toContain(`${id} García Acme ATS`);
  expect(exported<Page<ListedApplication>>(found, 'byName').items).toMatchObject([{ id }]);
  expect(exported<Page<ListedApplication>>(found, 'bySourceId').items).toEqual([]);
  const searched = await page.play();
  expect(exported<SearchResult['people']>(searched, 'people')).toEqual([]);
  expect(exported<SearchResult['jobs']>(searched, 'jobs')).toEqual([]);
  expect(page.next('sh').text).toContain('--changed-since');
});

tell('docs/audit.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  await letIn(partnerHiring);
  const id = 'job_01k2f7';
  const said = await page.play();
  await exported<(...words: string[]) => Promise<void>>(said, 'closeAs')('user_42', 'Ada', id, 'ticket 815');
  const whoChanged = exported<(id: string) => Promise<readonly string[]>>(said, 'whoChanged');
  expect(await whoChanged(id)).toMatchObject([
    expect.stringMatching(/^\S+Z user_42 jobs\.close \{"state":"open"\} \{"state":"closed"\}$/),
    expect.stringMatching(/^\S+Z host jobs\.publish null /),
  ]);
  const { items: entries } = await partnerHiring.operator.audit.list({ actorId: 'user_42' });
  expect(entries).toMatchObject([{ actor: { name: 'Ada', reason: 'ticket 815' } }]);
});

tell('docs/requests.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { key, secret } = await letIn(partnerHiring);
  const id = await apply(`http://localhost${PATH}`, secret, { send: partnerHiring.fetch });
  const headers = { authorization: `Bearer ${secret}` };
  await partnerHiring.fetch(new Request(`http://localhost${PATH}/jobs`, { headers }));
  const reply = await partnerHiring.fetch(new Request(`http://localhost${PATH}/jobs?limit=x`, { headers }));
  const told = (await page.play()) as unknown as Readonly<
    Record<'explain' | 'failures' | 'lastReads', (about: string) => Promise<string | string[]>>
  >;
  expect(await told.explain(reply.headers.get('x-request-id') ?? '')).toMatch(
    /^VALIDATION_ERROR limit: invalid_type\nEach field/,
  );
  expect(await told.explain('none')).toBe('The log does not have this request.');
  expect(await told.failures(key.id)).toEqual(['VALIDATION_ERROR 1']);
  const [submitted] = (await partnerHiring.operator.requests.list({ applicationId: id })).items;
  expect(await told.explain(submitted?.requestId ?? '')).toContain(id);
  expect((await told.lastReads(key.id)).toString()).toContain('/jobs 20');
  expect(page.next('sh').text).toContain('requests find');
});

tell('docs/totals.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { key, secret } = await letIn(partnerHiring);
  await apply(`http://localhost${PATH}`, secret, { send: partnerHiring.fetch });
  await partnerHiring.worker.drain();
  const told = await page.play();
  const month = new Date().toISOString().slice(0, '2026-11'.length);
  const hires = exported<(month: string) => Promise<readonly string[]>>(told, 'hires');
  expect(await hires(month)).toEqual(['Acme ATS: 0 of 1']);
  expect(await exported<(...ids: string[]) => Promise<string[]>>(told, 'unseen')(key.id, key.id)).toEqual([]);
  expect(page.next('sh').text).toContain('totals missing');
});

tell('docs/timelines.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { key, secret } = await letIn(partnerHiring);
  const id = await apply(`http://localhost${PATH}`, secret, { send: partnerHiring.fetch });
  await partnerHiring.operator.applications.move({ id });
  const told = (await page.play()) as unknown as Readonly<
    Record<
      'doesThePartnerKnow' | 'story' | 'whoClosed' | 'lastHour',
      (...about: string[]) => Promise<string | string[]>
    >
  >;
  expect(await told.doesThePartnerKnow(id)).toMatch(/^no_event: This change causes no event/);
  expect(await told.story(id)).toEqual([
    expect.stringMatching(/^20\S+Z Acme ATS \(production\) submitted application /),
    expect.stringMatching(/waits in the inbox\.$/),
    expect.stringMatching(/got 201/),
    expect.stringMatching(/^20\S+Z host called applications\.move on application /),
  ]);
  await partnerHiring.operator.jobs.close({ id: 'job_01k2f7' });
  expect(await told.whoClosed('job_01k2f7', key.id)).toMatch(/^host called jobs\.close on job job_01k2f7: /);
  expect((await told.lastHour(key.id)).toString()).toContain('host called keys.issue on key ');
  expect(page.next('sh').text).toContain('partner-hiring timeline');
});

tell('docs/self-service.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = exported<PartnerHiring<unknown>>(await page.play(), 'partnerHiring');
  const { secret } = await letIn(partnerHiring);
  const ask = async (method: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    const url = `http://localhost${PATH}/webhook-endpoint`;
    return (await partnerHiring.fetch(new Request(url, { method, headers }))).status;
  };
  // The key has no endpoint yet.
  expect([await ask('GET'), await ask('PUT')]).toEqual([422, 404]);
  await partnerHiring.close();
});

tell('docs/go-live.md', async (open) => {
  const page = open({ env: KEY });
  const told = await page.play();
  const partnerHiring = exported<PartnerHiring<unknown>>(told, 'partnerHiring');
  const openItems = exported<(keyId: KeyId) => Promise<string[]>>(told, 'openItems');
  const { operator } = partnerHiring;
  const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
  const { key } = await operator.keys.issue({ partnerId, environment: 'sandbox' });
  expect(await openItems(key.id)).toHaveLength(5);
  await expect(operator.keys.issue({ partnerId, environment: 'production' })).rejects.toThrow(
    'Repeated a submission with the same Idempotency-Key',
  );
  expect(page.next('sh').text).toContain('keys readiness');
  await partnerHiring.close();
});

test('the page has the items of the go-live checklist', () => {
  const page = readPage('docs/go-live.md');
  for (const [item, { title }] of Object.entries(READINESS_ITEMS)) {
    expect(page).toContain(`- \`${item}\`: ${title}\n`);
  }
});

tell('docs/messages.md', async (open) => {
  const sending = 'alerts: { alert: sendMessage },';
  const page = open({ filling: { [sending]: `${sending} allowPrivateNetworks: true,` }, env: KEY });
  await page.play();
  const partnerHiring = await partnerHiringOf(page, 'with-messages.ts');
  const { key } = await letIn(partnerHiring, await startGone());
  const contact = { name: 'Robin Field', email: 'robin@ats.example' };
  await partnerHiring.operator.partners.update({ id: key.partnerId, contact });
  await partnerHiring.worker.drain();
  const mails = exported<readonly object[]>(await page.load('my-mailer.ts'), 'mails');
  expect(mails).toEqual([
    {
      from: 'partners@hiring.example.com',
      to: { name: 'Robin Field', address: 'robin@ats.example' },
      subject: 'We have stopped sending to your production webhook endpoint',
      text: expect.stringContaining(`https://hiring.example.com/portal/endpoints/${key.id}`),
      messageId: expect.stringMatching(/^<alr_\w+@hiring\.example\.com>$/),
    },
  ]);
});
