/** The search box of every page: one text, all groups. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { send } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ADMIN, openPlatform, PERSONAL, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

/** Posts a text as the search box does. */
async function search(q: string, actor = ADMIN) {
  const visitor = visit(platform.fixture);
  visitor.become(actor);
  const answer = await visitor.post('/console/search', { q });
  return { ...answer, to: answer.headers.get('location') };
}

it('every page has the box, and sends its text in the body of a request', async () => {
  for (const path of ['', '/applications', '/search', `/partners/${platform.acme.partnerId}`]) {
    const { text } = await visit(platform.fixture).get(`/console${path}`);
    expect(text).toMatch(/<form class="find" method="post" action="\/console\/search">/);
    expect(text).toContain('data-search-box');
  }
});

it.each(['Alan Turing', 'turing, alan', 'ÀLAN tur', 'ALAN@example.org', '+1 415 555 0125', 'ats-4712'])(
  'finds a person by %s, masked, and without that in an address',
  async (q) => {
    const { alan, ada } = platform;
    const { status, text, headers } = await search(q);
    expect([status, headers.get('location')]).toEqual([200, null]);
    expect(text).toContain(`/console/applications/${alan}`);
    expect(text).not.toContain(`/console/applications/${ada}`);
    if (!q.startsWith('ats-')) expect(text).toContain('Each person here matches everything that you typed.');
    expect(text).toContain(`type="search" value="${q}"`);
    const shown = text.replaceAll(`<q>${q}</q>`, '').replaceAll(`value="${q}"`, '');
    for (const personal of PERSONAL) expect(shown, personal).not.toContain(personal);
    expect(decodeURIComponent([...text.matchAll(/(?:href|action)="([^"]*)"/g)].join())).not.toMatch(
      /turing/i,
    );
  },
);

it('finds partners, companies and jobs by name', async () => {
  const { acme } = platform;
  const job = await platform.fixture.operator.jobs.find({ id: acme.jobId as 'job_1' });
  const company = await platform.fixture.operator.companies.find({ id: acme.companyId as 'co_1' });
  expect((await search('acme')).text).toContain(`/console/partners/${acme.partnerId}`);
  expect((await search(job?.title ?? '')).text).toContain(`/console/jobs/${acme.jobId}`);
  expect((await search(company?.name ?? '')).text).toContain(`/console/companies/${acme.companyId}`);
});

it('leads to the page of an id of ours', async () => {
  const { acme, alan, grace, fixture } = platform;
  const {
    items: [event],
  } = await fixture.operator.deliveries.list({ applicationId: grace });
  const { operation } = await fixture.operator.candidates.eraseMany({ changedBefore: 5 });
  if (event === undefined || operation === null) throw new Error('The platform is incomplete.');
  const { eventId: id, keyId } = event;
  expect((await search(alan)).to).toBe(`/console/applications/${alan}`);
  expect((await search(` ${acme.partnerId} `)).to).toBe(`/console/partners/${acme.partnerId}`);
  expect((await search(acme.keyId)).to).toBe(`/console/keys/${acme.keyId}`);
  expect((await search(acme.jobId)).to).toBe(`/console/jobs/${acme.jobId}`);
  expect((await search(acme.companyId)).to).toBe(`/console/companies/${acme.companyId}`);
  expect((await search(id)).to).toBe(`/console/deliveries/${keyId}/${id}`);
  expect((await search(operation.id)).to).toBe(`/console/operations/${operation.id}`);
});

it('finds no people without the rights to find and to see candidates', async () => {
  const viewer = { ...ADMIN, rights: CONSOLE_RIGHTS.viewer };
  const finder = { ...ADMIN, rights: [...CONSOLE_RIGHTS.viewer, 'candidates:search'] as const };
  const nothing = 'Nothing found.';
  expect((await search('Alan Turing', viewer)).text).toContain(nothing);
  expect((await search('alan@example.org', viewer)).text).toContain(nothing);
  expect((await search('Alan Turing', finder)).text).not.toContain(platform.alan);
  expect((await search('alan@example.org', finder)).text).toContain(platform.alan);
  expect((await search('acme', { ...ADMIN, rights: [] })).text).toContain(nothing);
});

it('finds only what belongs to the partners of the actor', async () => {
  const { acme, globex, hooli, alan, grace } = platform;
  const ofAcme = { ...ADMIN, partnerIds: [acme.partnerId] };
  expect((await search('Alan Turing', ofAcme)).text).toContain(alan);
  expect((await search('acme', ofAcme)).text).toContain(acme.partnerId);
  const of = { ...ADMIN, partnerIds: [globex.partnerId] };
  for (const q of ['Grace Hopper', 'grace@example.org', 'Hooli', 'alan turing']) {
    const { text } = await search(q, of);
    expect(text).toContain('Nothing found.');
    for (const id of [grace, alan, hooli.partnerId, hooli.keyId]) expect(text).not.toContain(id);
  }
  expect((await search('acme', { ...ADMIN, partnerIds: [] })).text).toContain('Nothing found.');
});

it('leads from a person that is not found to the refused requests of the last day', async () => {
  const { fixture } = platform;
  vi.useFakeTimers({ now: fixture.clock.now(), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect((await search('Nobody Known')).text).toContain('No request was refused in the last 24 hours.');
  await send(fixture, 'GET', '/jobs', {});
  const { text } = await search('Nobody Known');
  expect(text).toMatch(/requests\?errors=yes&amp;since=[^"]+">1 request was refused in the last 24 hours</);
  expect((await search('Alan Turing')).text).not.toContain('refused in the last');
  const rights = ADMIN.rights.filter((right) => right !== 'requests:read');
  expect((await search('Nobody Known', { ...ADMIN, rights })).text).not.toContain('refused in the last');
});

it('shows of each person found the company, the partner, the status and the date of the newest application', async () => {
  const { text } = await search('Alan Turing');
  const people = text.slice(text.indexOf('<caption>People'));
  expect(people).toMatch(/data-label="Company"><span>\w/);
  expect(people).toMatch(/data-label="Partner"><span>Acme ATS \(production\)</);
  expect(people).toMatch(/data-label="Status"><span><span class="badge calm">received</);
  expect(people).toMatch(/data-label="Submitted"><span><time /);
});

it.each(['', 'x', ' '])('explains the box for %j', async (q) => {
  const { status, text } = await search(q);
  expect(status).toBe(400);
  expect(text).toContain('at least two characters');
});
