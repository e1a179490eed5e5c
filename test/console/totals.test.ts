/** Totals in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { ADMIN, openPlatform, visit } from './platform.js';

const platform = perTest(
  async () => {
    const opened = await openPlatform();
    await opened.fixture.pass(6 * 60_000);
    return opened;
  },
  ({ close }) => close(),
);

it('shows the figures of a month, by partner, company and month, and exports them', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const month = new Date(fixture.clock.now()).toISOString().slice(0, '2026-11'.length);
  const { text } = await visitor.get(`/console/totals?from=${month}&to=${month}`);
  expect(text).toContain(`Figures of ${month} (UTC)`);
  expect(text).toContain('Counted up to');
  expect(text).toContain('whenever the application was submitted');
  const row = text.slice(text.indexOf(`title="${acme.partnerId}"`));
  const figures = [...row.slice(0, row.indexOf('</tr>')).matchAll(/class="number"><span>(.*?)<\/span>/g)];
  // Shown, submitted, hired, rejected, median, refused, delivered.
  expect(figures.map(([, figure]) => figure).slice(0, 5)).toEqual(['1', '2', '1', '0', 'up to 1 hour']);
  const ofCompany = await visitor.get(`/console/totals?by=company&from=${month}&to=${month}`);
  expect(ofCompany.text).toContain(`title="${acme.companyId}"`);
  expect((await visitor.get(`/console/totals?by=month&partner=${acme.partnerId}`)).text).toContain(month);
  const file = await visitor.post('/console/totals.csv', { from: month, to: month });
  expect(file.text).toContain('"Submitted"');
});

/** The link with a text, as its address. */
function linkTo(page: string, text: string): string {
  const [, address = ''] = new RegExp(`href="([^"]*)"[^>]*>${text}</a>`).exec(page) ?? [];
  return address.replaceAll('&amp;', '&');
}

it('adds up the chosen months, offers months and companies, and names the file after rows and months', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const now = new Date(fixture.clock.now());
  const monthOf = (ago: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7);
  const [to, from] = [monthOf(0), monthOf(2)];
  const { text } = await visitor.get(`/console/totals?by=company&from=${from}&to=${to}`);
  expect(text).toContain(`Figures of ${from} to ${to} (UTC)`);
  expect(text).toContain(`>${from} to ${to}</a>`);
  const { text: form } = await visitor.get('/console/totals');
  for (const name of ['from', 'to', 'company']) expect(form).toContain(`<select id="${name}"`);
  expect(form).toMatch(new RegExp(`<option value="${acme.companyId}">Initech \\(production\\)`));
  const months = await visitor.get('/console/totals?by=month&environment=sandbox');
  expect(months.text).toContain(`Figures of ${monthOf(12)} to ${to} (UTC)`);
  const file = await visitor.post('/console/totals.csv', { by: 'company', from, to });
  expect(file.headers.get('content-disposition')).toContain(`"totals-companies-${from}-to-${to}.csv"`);
  const one = await visitor.post('/console/totals.csv', { from: to, to });
  expect(one.headers.get('content-disposition')).toContain(`"totals-partners-${to}.csv"`);
});

it('leads from row to row with the same filter, and from the pages of partner, company and key', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const month = new Date(fixture.clock.now()).toISOString().slice(0, '2026-11'.length);
  const { text } = await visitor.get(`/console/totals?by=company&partner=${acme.partnerId}&to=${month}`);
  expect(linkTo(text, `[^<]* to ${month}`)).toContain('/console/totals?by=company&from=2');
  expect(linkTo(text, `[^<]* to ${month}`)).toContain(`&partner=${acme.partnerId}`);
  const months = `/console/totals?by=month&partner=${acme.partnerId}&company=${acme.companyId}`;
  expect(linkTo(text, 'Initech')).toBe(months);
  const shown = await visitor.get(months);
  expect(linkTo(shown.text, 'Acme ATS')).toBe(`/console/partners/${acme.partnerId}`);
  const pages = [
    [`partners/${acme.partnerId}`, 'partner', `&partner=${acme.partnerId}`],
    [`companies/${acme.companyId}`, 'company', `&company=${acme.companyId}&environment=production`],
    [`keys/${acme.keyId}`, 'key', `&partner=${acme.partnerId}&environment=production`],
  ] as const;
  for (const [path, kind, query] of pages) {
    const page = await visitor.get(`/console/${path}`);
    expect(linkTo(page.text, `Totals of this ${kind}`)).toBe(`/console/totals?by=month${query}`);
  }
});

it('shows an actor for one partner the totals of this partner only', async () => {
  const { fixture, acme, globex } = platform;
  const visitor = visit(fixture);
  visitor.become({ ...ADMIN, rights: CONSOLE_RIGHTS.viewer, partnerIds: [acme.partnerId] });
  const month = new Date(fixture.clock.now()).toISOString().slice(0, '2026-11'.length);
  const { text } = await visitor.get(`/console/totals?from=${month}`);
  expect(text).toContain(acme.partnerId);
  expect(text).not.toContain(globex.partnerId);
  expect((await visitor.get(`/console/totals?partner=${globex.partnerId}`)).status).toBe(404);
});

it('leads from a key to the jobs that another key sees', async () => {
  const { fixture, acme, globex } = platform;
  const { operator } = fixture;
  const visitor = visit(fixture);
  await operator.access.revoke({ keyId: globex.keyId, companyId: acme.companyId });
  const { text: page } = await visitor.get(`/console/keys/${globex.keyId}`);
  expect(page).toContain(`href="/console/totals/missing?key=${globex.keyId}"`);
  expect((await visitor.get(`/console/totals/missing?key=${globex.keyId}`)).text).toContain(
    'Choose two keys',
  );
  const { text } = await visitor.get(`/console/totals/missing?key=${globex.keyId}&other=${acme.keyId}`);
  expect(text).toContain(`/console/jobs/${acme.jobId}"`);
  expect(text).toContain('Access revoked');
  expect(text).toContain('Acme ATS (production) sees jobs that Globex (production) does not: 1.');
  expect(linkTo(text, 'What does Globex .production. see that Acme ATS .production. does not.')).toBe(
    `/console/totals/missing?key=${acme.keyId}&other=${globex.keyId}`,
  );
  const other = await visitor.get(`/console/totals/missing?key=${acme.keyId}&other=${globex.keyId}`);
  expect(other.text).toContain('none that only the other key sees');
});
