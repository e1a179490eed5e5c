/** Tasks of a support engineer in a real browser, with and without scripting. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserContext } from '../../browser/chromium.js';
import { type BrowserStage, openBrowserStage } from './open-browser.js';

let stage: BrowserStage;
let context: BrowserContext;
beforeEach(async () => {
  stage = await openBrowserStage();
});
afterEach(async () => {
  await context.close();
  await stage.close();
});

describe.each([
  ['on', true],
  ['off', false],
])('with scripting %s', (_, javaScriptEnabled) => {
  beforeEach(async () => {
    context = await stage.browser.newContext({ javaScriptEnabled });
  });

  it('finds the candidate who never heard back by name, finds out why, and sends it again', async () => {
    const { fixture, grace } = stage.platform;
    fixture.transport.answerWith(200);
    const page = await context.newPage();
    await page.goto(stage.url);
    await page.getByRole('link', { name: 'Applications', exact: true }).click();
    await page.getByLabel('Name, e-mail, phone or any id').fill('hopper');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(page.url()).toBe(`${stage.url}/applications`);
    await page.getByRole('link', { name: 'G… H…' }).click();
    await page.getByText('sending to its endpoint is paused').waitFor();
    await page.getByRole('button', { name: 'Resume sending…' }).click();
    await page.getByLabel('Reason (optional)').fill('ticket 815');
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('Sending is resumed.').waitFor();
    await fixture.pass(60_000);
    await page.reload();
    await page.getByText('The partner knows the present status.').waitFor();
    expect(await page.getByText('Sending is resumed.').count()).toBe(0);
    const { items: entries } = await fixture.operator.audit.list({ act: 'endpoints.resume' });
    expect(entries[0]?.actor.reason).toBe('ticket 815');
    expect((await fixture.operator.applications.timeline({ id: grace })).news.state).toBe('delivered');
  });

  it('reveals a candidate, rejects it after a confirmation, and finds both in the audit', async () => {
    const { alan } = stage.platform;
    const page = await context.newPage();
    await page.goto(`${stage.url}/applications/${alan}`);
    expect(await page.getByText('alan@example.org').count()).toBe(0);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.getByText('alan@example.org').waitFor();
    await page.goto(`${stage.url}/applications/${alan}`);
    await page.getByLabel('Begin the evaluation at').selectOption('under_review');
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByText('The application was moved.').waitFor();
    await page.getByRole('button', { name: 'Reject…' }).click();
    await page.getByText('A decision is final').waitFor();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText('Rejected. The partner gets an event.').waitFor();
    await page.getByRole('link', { name: 'Acts on this application in the audit' }).click();
    const table = page.getByRole('table');
    await table.getByRole('link', { name: 'Looked at the candidate' }).waitFor();
    await table.getByRole('link', { name: 'Decided on the application' }).waitFor();
  });

  it('can be used with the keyboard alone', async () => {
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
