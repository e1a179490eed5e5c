/** Whatever is in an address or a form, the console answers with a page. */
import { afterAll, expect, it } from 'vitest';
import { SCREENS } from '../../packages/console/src/screens/screens.js';
import { openHostilePages, openPagesOfOthers, seedLongLists, sendHostileForms } from './hostile-input.js';
import { ADMIN, openPlatform, visit } from './platform.js';
import { seedOperation } from './seed.js';

const platform = await openPlatform({ limits: { submit_application: 1_000 } });
await seedLongLists(platform);
await seedOperation(platform);
const visitor = visit(platform.fixture);
const site = { root: '/console', screens: SCREENS, get: visitor.get, post: visitor.post, foreign: [] };
afterAll(() => platform.close());

it('says what is wrong with an address or a form, and exports nothing for an unknown filter', async () => {
  const { acme, fixture } = platform;
  const page = await visitor.get('/console/operations?state=bogus');
  expect([page.status, page.text]).toEqual([
    400,
    expect.stringContaining('The address has a value that this page does not know'),
  ]);
  const known = (await fixture.operator.audit.list({ act: 'audit.recordExport' })).items.length;
  const file = await visitor.post('/console/operations.csv', { state: 'bogus' });
  expect([file.status, file.text]).toEqual([
    400,
    expect.stringContaining('A menu has a value that this page does not know'),
  ]);
  expect((await fixture.operator.audit.list({ act: 'audit.recordExport' })).items).toHaveLength(known);
  const form = await visitor.post(`/console/partners/${acme.partnerId}/rename`, {
    name: 'x'.repeat(501),
    confirmed: 'yes',
  });
  expect([form.status, form.text]).toEqual([
    400,
    expect.stringContaining('name must be text of 1 to 500 characters'),
  ]);
});

it('each page answers unknown and malformed ids, cursors and filters with a page', {
  timeout: 600_000,
}, async () => {
  expect(await openHostilePages(site)).toEqual([]);
});

it('each act and each export answers unknown and malformed ids and fields with a page', {
  timeout: 600_000,
}, async () => {
  expect(await sendHostileForms(site)).toEqual([]);
});

it('each page answers ids of other partners with a page', { timeout: 600_000 }, async () => {
  const { id } = await platform.fixture.operator.partners.create({ name: 'Newcomer' });
  const become = () => visitor.become({ ...ADMIN, partnerIds: [id] });
  expect(await openPagesOfOthers(site, become)).toEqual([]);
});
