/** Questions about many, in a real browser, with and without scripting: at most six clicks from the overview. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserContext, Page } from '../../browser/chromium.js';
import { type BrowserStage, openBrowserStage } from './open-browser.js';

let stage: BrowserStage;
let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  stage = await openBrowserStage();
});
afterEach(async () => {
  await context.close();
  await stage.close();
});

const MOST_CLICKS = 6;

/** Clicks links and buttons one after the other, from the overview. */
async function click(...names: readonly string[]): Promise<void> {
  expect(names.length).toBeLessThanOrEqual(MOST_CLICKS);
  await page.goto(stage.url);
  for (const name of names) {
    const link = page.getByRole('link', { name, exact: true });
    await link
      .or(page.getByRole('button', { name, exact: true }))
      .first()
      .click();
  }
}

describe.each([
  ['on', true],
  ['off', false],
])('with scripting %s', (_, javaScriptEnabled) => {
  beforeEach(async () => {
    context = await stage.browser.newContext({ javaScriptEnabled });
    page = await context.newPage();
  });

  it('finds the applications that nobody has changed, in an address that can be saved', async () => {
    const { alan, linus } = stage.platform;
    await click('Queues', 'Applications unchanged for 14 days');
    expect(page.url()).toContain('/queues/unchanged?days=14');
    const content = await page.content();
    expect(content.indexOf(alan)).toBeLessThan(content.indexOf(linus));
    await page.goto(`${stage.url}/queues/unchanged?days=1&status=received`);
    const received = await page.content();
    expect(received).toContain(alan);
    expect(received).not.toContain(linus);
  });

  it('finds the endpoints that are paused, and opens one', async () => {
    await click('Queues', 'Paused endpoints', 'Hooli (production)');
    expect(page.url()).toContain(`/endpoints/${stage.platform.hooli.keyId}`);
  });

  it('finds the résumés that failed', async () => {
    await click('Queues', 'Résumés that failed');
    expect(await page.content()).toContain(stage.platform.alan);
  });

  it('compares a partner with all others', async () => {
    await click('Partners and keys', 'Acme ATS');
    await page.getByRole('heading', { name: 'Health', exact: true }).waitFor();
    expect(await page.content()).toContain('Requests and deliveries in production');
  });
});
