/** Other origins, addresses, the keyboard and live figures in a real browser. */
import { answered } from '@partner-hiring/test-support/transport';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserContext } from '../../tools/browser/chromium.js';
import { openSystemPlatform, type SystemPlatform, seedOperation } from '../seed.js';
import { type BrowserStage, openBrowserStage } from './open-browser.js';

let platform: SystemPlatform;
let stage: BrowserStage;
let context: BrowserContext;
beforeAll(async () => {
  platform = await openSystemPlatform();
  stage = await openBrowserStage(platform);
});
afterEach(() => context.close());
afterAll(() => stage.close());

describe.each([
  ['on', true],
  ['off', false],
])('with scripting %s', (_, javaScriptEnabled) => {
  it('can be used with the keyboard alone', async () => {
    context = await stage.browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(stage.url);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toContain('Skip to the content');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#content$/);
    await page.goto(`${stage.url}/applications`);
    await page.getByLabel('Name, e-mail, phone or any id').focus();
    await page.keyboard.type('ats-4711');
    await page.keyboard.press('Enter');
    // Playwright does not wait for a page after a key, and the list before the search has two such links.
    await page.getByText('Applications with this source id').waitFor();
    await page.getByRole('link', { name: 'A… L…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Application of A… L…' }).waitFor();
  });

  it('searches without writing the text into an address, a referrer or the history', async () => {
    context = await stage.browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    const addresses: string[] = [];
    context.on('request', (request) => {
      addresses.push(request.url(), request.headers().referer ?? '', request.headers().cookie ?? '');
    });
    for (const text of ['Lovelace, Ada', '415 555 0123', 'ada@example.org', 'ats-4711', '+1 415 555 0123']) {
      await page.goto(stage.url);
      await page.getByRole('link', { name: 'Applications', exact: true }).click();
      await page.getByLabel('Name, e-mail, phone or any id').fill(text);
      await page.getByRole('button', { name: 'Search' }).click();
      await page
        .getByText(/^(Applications|No application)/)
        .first()
        .waitFor();
      expect(page.url()).toBe(`${stage.url}/applications`);
    }
    await page.getByRole('link', { name: 'A… L…' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Application of A… L…' }).waitFor();
    await page.getByRole('link', { name: 'Applications', exact: true }).first().click();
    await page.goto(`${stage.url}/requests`);
    await page.getByLabel('Request id').fill('Lovelace, Ada');
    await page.getByRole('button', { name: 'Filter' }).click();
    // The browser refuses a text that is no id, so the page stays.
    expect(await page.locator('#id:invalid').count()).toBe(1);
    expect(addresses.length).toBeGreaterThan(10);
    expect(decodeURIComponent(addresses.join('\n'))).not.toMatch(/lovelace|ada@|555|ats-4711/i);
  });
});

it('refreshes the live counts, the headline and its colour', async () => {
  context = await stage.browser.newContext();
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(stage.url);
  const dead = page.locator('[data-live="due"]');
  expect(await dead.textContent()).toBe('0');
  const news = page.locator('[data-live-tone]');
  expect(await news.getAttribute('class')).toContain('bad');
  const values = { due: '12', headline: 'All is well.', tone: 'good' };
  await page.route('**/console/live', (route) => route.fulfill({ json: values }));
  await page.clock.runFor(11_000);
  await expect.poll(() => dead.textContent()).toBe('12');
  expect([await news.textContent(), await news.getAttribute('class')]).toEqual([
    'All is well.',
    'card news good',
  ]);
});

it('shows progress while the receiver of a test event hangs, and then the result', async () => {
  context = await stage.browser.newContext();
  const { acme, fixture } = stage.platform;
  let answer = () => {};
  const hangs = new Promise<void>((resolve) => {
    answer = resolve;
  });
  fixture.transport.answerWith(async () => {
    await hangs;
    return answered(200);
  });
  const page = await context.newPage();
  // A locator would wait for the end of the navigation, which is the result of the test.
  await page.addInitScript(`new MutationObserver(() => {
    const text = document.querySelector('[role=status]')?.textContent;
    if (text) console.log(text);
  }).observe(document, { childList: true, subtree: true })`);
  await page.goto(`${stage.url}/endpoints/${acme.keyId}`);
  const said = 'The endpoint has 30 seconds to answer.';
  const shown = page.waitForEvent('console', (message) => message.text().includes(said));
  await page.getByRole('button', { name: 'Send a test' }).click({ noWaitAfter: true });
  await shown;
  answer();
  await page.getByText('The endpoint accepted the test event.').waitFor();
});

it('a page of another origin can neither write nor read', async () => {
  context = await stage.browser.newContext();
  const { alan, fixture } = stage.platform;
  const page = await context.newPage();
  await page.route('http://evil.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${stage.url}/applications/${alan}/erase"><input name="confirmed" value="yes"></form>`,
    }),
  );
  await page.goto('http://evil.example/');
  await Promise.all([page.waitForNavigation(), page.evaluate("document.querySelector('form').submit()")]);
  expect(await page.textContent('body')).toContain('This form did not come from the console');
  await page.goto('http://evil.example/');
  const read = await page.evaluate(
    `fetch(${JSON.stringify(`${stage.url}/applications/${alan}`)}, { credentials: 'include' }).then((it) => it.text(), () => 'blocked')`,
  );
  expect(read).toBe('blocked');
  const written = await page.evaluate(
    `fetch(${JSON.stringify(`${stage.url}/applications/${alan}/erase`)}, { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ confirmed: 'yes' }) }).then((it) => it.type, () => 'refused')`,
  );
  expect(written).toBe('refused');
  expect((await fixture.operator.applications.find({ id: alan }))?.erasedAt).toBeNull();
});

it('the script refreshes the progress of an operation, and a closed tab does not matter', async () => {
  context = await stage.browser.newContext();
  const page = await context.newPage();
  const id = await seedOperation(platform);
  await page.clock.install();
  await page.goto(`${stage.url}/operations/${id}`);
  expect(await page.locator('progress').getAttribute('value')).toBe('0');
  await platform.fixture.pass(60_000);
  await page.clock.runFor(11_000);
  await page.getByText('300 of 300 (100 %), done').waitFor();
  expect(await page.locator('progress').getAttribute('value')).toBe('100');
  await page.close();
  const again = await context.newPage();
  await again.goto(`${stage.url}/operations/${id}`);
  await again.getByText('300 of 300 (100 %)').waitFor();
});
