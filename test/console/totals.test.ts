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
  const { text } = await visitor.get(`/console/totals?month=${month}`);
  expect(text).toContain('Counted up to');
  const row = text.slice(text.indexOf(`/console/partners/${acme.partnerId}"`));
  const figures = [...row.slice(0, row.indexOf('</tr>')).matchAll(/class="number"><span>(.*?)<\/span>/g)];
  // Shown, submitted, hired, rejected, median, refused, delivered.
  expect(figures.map(([, figure]) => figure).slice(0, 5)).toEqual(['1', '2', '1', '0', 'up to 1 hour']);
  const ofCompany = await visitor.get(`/console/totals?by=company&month=${month}`);
  expect(ofCompany.text).toContain(`/console/companies/${acme.companyId}"`);
  expect((await visitor.get(`/console/totals?by=month&partner=${acme.partnerId}`)).text).toContain(month);
  const file = await visitor.post('/console/totals.csv', { month });
  expect(file.text).toContain('"Submitted"');
});

it('shows an actor for one partner the totals of this partner only', async () => {
  const { fixture, acme, globex } = platform;
  const visitor = visit(fixture);
  visitor.become({ ...ADMIN, rights: CONSOLE_RIGHTS.viewer, partnerIds: [acme.partnerId] });
  const month = new Date(fixture.clock.now()).toISOString().slice(0, '2026-11'.length);
  const { text } = await visitor.get(`/console/totals?month=${month}`);
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
  const other = await visitor.get(`/console/totals/missing?key=${acme.keyId}&other=${globex.keyId}`);
  expect(other.text).toContain('none that only the other key sees');
});
