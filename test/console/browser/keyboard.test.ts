/** Rows, their acts and the search by the keyboard alone, and how dense the pages are. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { BrowserContext, Page } from '../../tools/browser/chromium.js';
import { seedFailing } from '../seed.js';
import { type BrowserStage, openBrowserStage } from './open-browser.js';

let stage: BrowserStage;
let context: BrowserContext;
beforeAll(async () => {
  stage = await openBrowserStage();
  await seedFailing(stage.platform);
});
afterEach(() => context.close());
afterAll(() => stage.close());

async function open(path: string, options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Page> {
  context = await stage.browser.newContext({ ...options, viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${stage.url}${path}`);
  return page;
}

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const focused = (page: Page) => page.locator(':focus');

it('moves between rows, and opens one', async () => {
  const page = await open('/applications');
  await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp');
  const second = page.locator('tbody tr').nth(1);
  expect(await second.and(focused(page)).count()).toBe(1);
  const name = (await second.getByRole('link').first().textContent()) ?? '';
  await press(page, 'Enter');
  await page.getByRole('heading', { level: 1, name: `Application of ${name}` }).waitFor();
});

it('chooses rows, and sends their form', async () => {
  const page = await open(`/jobs?company=${stage.platform.acme.companyId}`);
  await press(page, 'ArrowDown', 'x', 'ArrowDown', 'x', 'x');
  expect(await page.locator('input:checked').count()).toBe(1);
  await page.getByRole('button', { name: 'Close chosen…' }).focus();
  await press(page, 'Enter');
  await page.getByRole('heading', { name: 'Close 1 job?' }).waitFor();
});

it('opens the acts on a row, leaves them, and does one', async () => {
  const page = await open(`/keys/${stage.platform.globex.keyId}`);
  const revoke = page.getByRole('button', { name: 'Revoke…', exact: true });
  await page.getByRole('link', { name: 'Initech' }).focus();
  await press(page, '.');
  await revoke.waitFor();
  await press(page, 'Escape');
  expect(await revoke.isVisible()).toBe(false);
  await press(page, '.', 'Tab');
  expect(await focused(page).textContent()).toBe('Revoke…');
  await press(page, 'Enter');
  await page.getByRole('heading', { name: 'Revoke access to this company?' }).waitFor();
});

it('opens the acts on a row without scripting, in a list whose rows can be chosen', async () => {
  const page = await open(`/jobs?company=${stage.platform.acme.companyId}`, { javaScriptEnabled: false });
  await page.getByRole('button', { name: 'Actions' }).first().focus();
  await press(page, 'Enter', 'Tab', 'Enter');
  await page.getByRole('heading', { name: 'Close the job?' }).waitFor();
});

it('searches, and says what the keys do', async () => {
  const page = await open('/audit');
  const help = page.getByRole('dialog', { name: 'Keyboard' });
  await press(page, '?');
  expect(await help.textContent()).toContain('Next and previous row');
  await press(page, 'Escape');
  expect(await help.isVisible()).toBe(false);
  await press(page, '/');
  await page.keyboard.type('x?.acme');
  expect(await page.getByRole('searchbox', { name: 'Search everything' }).inputValue()).toBe('x?.acme');
  expect(await help.isVisible()).toBe(false);
});

it.each(['/deliveries', '/applications', '/endpoints', '/requests', '/partners', '/jobs'])(
  'has rows of 36 pixels on %s',
  async (path) => {
    const page = await open(path);
    const heights = await page.evaluate(
      "[...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().height)",
    );
    expect(new Set(heights as readonly number[])).toEqual(new Set([36]));
  },
);

it('shows a key on two screens', async () => {
  const page = await open(`/keys/${stage.platform.acme.keyId}`);
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(1_600);
});
