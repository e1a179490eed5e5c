/** What a stranger's eye needs: times, ids, filters and rows of buttons, on a desk and on a phone. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { BrowserContext, Page } from '../../tools/browser/chromium.js';
import { type BrowserStage, openBrowserStage } from './open-browser.js';

let stage: BrowserStage;
let context: BrowserContext;
beforeAll(async () => {
  stage = await openBrowserStage();
});
afterEach(() => context.close());
afterAll(() => stage.close());

async function open(
  path: string,
  options: Parameters<typeof stage.browser.newContext>[0] = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Page> {
  context = await stage.browser.newContext(options);
  const page = await context.newPage();
  await prepare(page);
  await page.goto(`${stage.url}${path}`);
  return page;
}

const PHONE = { viewport: { width: 390, height: 844 } };

it('says how long ago a time was, with the person’s own time and UTC on hover', async () => {
  const { acme, fixture } = stage.platform;
  const partner = await fixture.operator.partners.find({ id: acme.partnerId });
  const at = partner?.createdAt ?? 0;
  const page = await open(`/partners/${acme.partnerId}`, { timezoneId: 'Asia/Tokyo' }, (opened) =>
    opened.clock.install({ time: at + 3 * 60_000 }),
  );
  const time = page.locator('dd time').first();
  expect(await time.textContent()).toBe('3 min ago, 09:00 UTC');
  expect(await time.getAttribute('title')).toBe(
    '3 min ago\n5 Jan 2026, 18:00:00 GMT+9\n2026-01-05 09:00:00 UTC',
  );
  await page.clock.runFor(2 * 3_600_000);
  expect(await time.textContent()).toBe('2 h ago, 09:00 UTC');
  // A phone has no hover.
  await time.click();
  expect(await time.textContent()).toBe('5 Jan 2026, 18:00:00 GMT+9');
});

it('says the time in UTC without scripting', async () => {
  const page = await open(`/partners/${stage.platform.acme.partnerId}`, { javaScriptEnabled: false });
  const time = page.locator('dd time').first();
  expect(await time.textContent()).toBe('5 Jan 2026, 09:00 UTC');
  expect(await time.getAttribute('title')).toBe('2026-01-05 09:00:00 UTC');
});

it('shows the end of an id, the whole id on hover, and copies it', async () => {
  const { acme } = stage.platform;
  const page = await open(`/partners/${acme.partnerId}`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const id = page.locator('dd .id').first();
  expect(await id.locator('code').getAttribute('title')).toBe(acme.partnerId);
  expect((await id.boundingBox())?.width).toBeLessThan(200);
  await id.getByRole('button', { name: 'Copy the id' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(acme.partnerId);
});

it('has no buttons to copy without scripting, and the page shows whole ids on hover', async () => {
  const { acme } = stage.platform;
  const page = await open(`/partners/${acme.partnerId}`, { javaScriptEnabled: false });
  expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0);
  expect(await page.locator('dd .id code').first().textContent()).toBe(acme.partnerId);
});

it('copies a secret that is shown once', async () => {
  const { acme } = stage.platform;
  const page = await open(`/endpoints/${acme.keyId}`, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Rotate the signing secret…' }).click();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  const secret = await page.getByText(/^whsec_/).textContent();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
});

it('disables the fields of a filter that cannot be combined', async () => {
  const page = await open('/deliveries');
  const state = page.getByLabel('State');
  expect(await state.isDisabled()).toBe(false);
  await page.getByLabel('Failing').selectOption('yes');
  expect(await state.isDisabled()).toBe(true);
  expect(await state.getAttribute('title')).toBe('Deliveries that wait are pending.');
  await page.getByLabel('Failing').selectOption('');
  expect(await state.isDisabled()).toBe(false);
  await page.goto(`${stage.url}/applications`);
  const status = page.getByLabel('Status');
  expect(await status.isDisabled()).toBe(true);
  await page.getByLabel('Company').selectOption({ label: 'Initech (production)' });
  expect(await status.isDisabled()).toBe(false);
});

it('explains without scripting what cannot be combined', async () => {
  const page = await open('/deliveries', { javaScriptEnabled: false });
  await page.getByLabel('Failing').selectOption('yes');
  await page.getByLabel('State').selectOption('dead');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.locator('.note').getByText('A delivery that waits is pending.').waitFor();
});

it('has the navigation of a phone in one row, which shows the current screen', async () => {
  const page = await open('/audit', PHONE);
  const row = await page.getByLabel('Screens').boundingBox();
  expect(row?.height).toBeLessThan(60);
  expect((await page.locator('header.bar').boundingBox())?.height).toBeLessThan(115);
  const current = await page.getByLabel('Screens').getByRole('link', { name: 'Audit' }).boundingBox();
  expect(current?.x).toBeGreaterThan(0);
  expect((current?.x ?? 0) + (current?.width ?? 0)).toBeLessThanOrEqual(390);
});

it('shows in the navigation to which screen a page without its own link belongs', async () => {
  const { acme } = stage.platform;
  for (const [path, screen] of [
    [`/keys/${acme.keyId}`, 'Partners and keys'],
    [`/companies/${acme.companyId}`, 'Jobs and companies'],
  ] as const) {
    const page = await open(path);
    expect(await page.locator('nav.screens [aria-current]').allTextContents()).toEqual([screen]);
    await context.close();
  }
});

it.each(['/applications', '/audit', '/deliveries', '/endpoints', '/jobs', '/partners', '/requests'])(
  'shows the first results of %s on a phone without scrolling',
  async (path) => {
    const page = await open(path, PHONE);
    const first = await page.locator('tbody tr').first().boundingBox();
    expect((first?.y ?? 844) + Math.min(first?.height ?? 0, 120)).toBeLessThanOrEqual(844);
  },
);

it('hides the empty fields of a phone', async () => {
  const page = await open('/endpoints', PHONE);
  const blank = page.locator('td:has(> span > .none), .facts div:has(> dd > .none)');
  expect(await blank.count()).toBeGreaterThan(0);
  expect(await blank.filter({ visible: true }).count()).toBe(0);
});
