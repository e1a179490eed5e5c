/** Support tasks about candidates in a real browser, with and without scripting. */

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

/** Searches from the landing page. */
async function search(text: string): Promise<void> {
  await page.goto(stage.url);
  await page.getByRole('link', { name: 'Applications', exact: true }).click();
  await page.getByLabel('Name, e-mail, phone or any id').fill(text);
  await page.getByRole('button', { name: 'Search' }).click();
}

describe.each([
  ['on', true],
  ['off', false],
])('with scripting %s', (_, javaScriptEnabled) => {
  beforeEach(async () => {
    context = await stage.browser.newContext({ javaScriptEnabled });
    page = await context.newPage();
  });

  it('finds the candidate by e-mail, and how the partner was told, for "Does Acme know that we hired her?"', async () => {
    await search('ada@example.org');
    await page
      .getByRole('row', { name: /accepted/ })
      .getByRole('link', { name: 'A… L…' })
      .click();
    await page.getByText('The partner knows the present status.').waitFor();
    await page
      .getByText(/The partner’s endpoint accepted the event\.|was recorded for the partner\./)
      .first()
      .waitFor();
  });

  it('finds "Hopper Grace" from any page, for "She never heard"', async () => {
    await page.goto(`${stage.url}/requests`);
    const box = page.getByRole('searchbox', { name: 'Search everything' });
    if (javaScriptEnabled) {
      await page.keyboard.press('/');
      expect(await box.and(page.locator(':focus')).count()).toBe(1);
    }
    await box.fill('hopper grace');
    await box.press('Enter');
    await page.getByRole('link', { name: 'G… H…' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Application of G… H…' }).waitFor();
  });

  it('finds an application by the phone number of a caller', async () => {
    await search('+1 415 555 0124');
    await page.getByRole('link', { name: 'G… H…' }).click();
    await page.getByRole('heading', { level: 1, name: 'Application of G… H…' }).waitFor();
  });

  it('searches without writing the text into an address, a referrer or the history', async () => {
    const addresses: string[] = [];
    context.on('request', (request) => {
      addresses.push(request.url(), request.headers().referer ?? '', request.headers().cookie ?? '');
    });
    for (const text of ['Lovelace, Ada', '415 555 0123', 'ada@example.org', 'ats-4711', '+1 415 555 0123']) {
      await search(text);
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

  it('finds an application by the id of the partner’s system', async () => {
    await search('ats-4712');
    await page.getByRole('link', { name: 'A… T…' }).click();
    await page.getByRole('heading', { level: 1, name: 'Application of A… T…' }).waitFor();
    expect(page.url()).toBe(`${stage.url}/applications/${stage.platform.alan}`);
  });

  it('sees why a résumé is missing, and has it fetched again', async () => {
    const { alan, fixture } = stage.platform;
    await page.goto(`${stage.url}/applications/${alan}`);
    await page.getByText('too large').first().waitFor();
    await page.getByRole('button', { name: 'Fetch the résumé again' }).click();
    await page.getByText('The worker fetches the résumé again.').waitFor();
    expect((await fixture.operator.applications.find({ id: alan }))?.resume.kind).toBe('pending');
  });

  it('moves a candidate to the next stage', async () => {
    const { linus, fixture } = stage.platform;
    await page.goto(`${stage.url}/applications/${linus}`);
    await page.getByLabel('Move to the stage').selectOption('final_review');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('The application was moved.').waitFor();
    expect((await fixture.operator.applications.find({ id: linus }))?.stage).toBe('final_review');
  });

  it('hires a candidate after a look at what will happen', async () => {
    const { linus, fixture } = stage.platform;
    await page.goto(`${stage.url}/applications/${linus}`);
    await page.getByRole('button', { name: 'Hire…' }).click();
    await page.getByText('A decision is final: it cannot be changed or undone.').waitFor();
    expect((await fixture.operator.applications.find({ id: linus }))?.status).toBe('in_progress');
    await page.getByRole('button', { name: 'Hire', exact: true }).click();
    await page.getByText('Hired. The partner gets an event.').waitFor();
    expect((await fixture.operator.applications.find({ id: linus }))?.status).toBe('accepted');
  });

  it('erases a candidate who asks for it', async () => {
    const { grace, fixture } = stage.platform;
    await search('grace@example.org');
    await page.getByRole('link', { name: 'G… H…' }).click();
    await page.getByRole('button', { name: 'Erase the candidate…' }).click();
    await page.getByText('This cannot be undone.').waitFor();
    await page.getByLabel('Reason (optional)').fill('request 12');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByText('The candidate was erased.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Application, erased' }).waitFor();
    expect((await fixture.operator.applications.find({ id: grace }))?.erasedAt).not.toBeNull();
  });
});
