/** Brings a partner in with a real browser, with and without scripting. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BrowserStage, openBrowserStage } from './open-browser.js';

let stage: BrowserStage;
beforeEach(async () => {
  stage = await openBrowserStage();
});
afterEach(() => stage.close());

it.each([
  ['on', true],
  ['off', false],
])('brings a partner in within six clicks, with scripting %s', async (_, javaScriptEnabled) => {
  const { operator } = stage.platform.fixture;
  const context = await stage.browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(stage.url);
  await page.getByLabel('Screens').getByRole('link', { name: 'Partners and keys', exact: true }).click();
  await page.getByRole('link', { name: 'Bring a partner in' }).click();
  await page.getByLabel('Name of the partner').fill('Umbrella ATS');
  if (javaScriptEnabled) {
    expect(await page.getByLabel('Names or ids, one on each line').isVisible()).toBe(false);
    await page.getByLabel('Find a company').fill('initech');
    await page.getByRole('checkbox', { name: 'Initech' }).check();
  } else {
    expect(await page.getByLabel('Find a company').isVisible()).toBe(false);
    await page.getByLabel('Names or ids, one on each line').fill('initech');
  }
  await page.getByRole('button', { name: 'Bring the partner in' }).click();
  await page.getByRole('heading', { name: 'Hand-over sheet of Umbrella ATS' }).waitFor();
  expect(await page.getByRole('button', { name: 'Copy' }).first().isVisible()).toBe(javaScriptEnabled);
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(javaScriptEnabled);
  const { items: acts } = await operator.audit.list({ act: 'partners.onboard' });
  expect(acts).toMatchObject([{ after: { name: 'Umbrella ATS', companies: 1 } }]);
  await context.close();
});
