/** Support tasks about endpoints, access, companies and the audit in a real browser, with and without scripting. */

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

/** Opens a screen from the landing page. */
async function openScreen(name: string): Promise<void> {
  await page.goto(stage.url);
  await page.getByLabel('Screens').getByRole('link', { name, exact: true }).click();
}

describe.each([
  ['on', true],
  ['off', false],
])('with scripting %s', (_, javaScriptEnabled) => {
  beforeEach(async () => {
    context = await stage.browser.newContext({ javaScriptEnabled });
    page = await context.newPage();
  });

  it('pauses an endpoint that a partner takes down for maintenance', async () => {
    const { fixture, globex } = stage.platform;
    await openScreen('Endpoints');
    await page.getByRole('link', { name: 'Globex (production)' }).first().click();
    await page.getByRole('button', { name: 'Pause…' }).click();
    await page.getByText('Sending stops at the next poll of the worker.').waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Sending is paused.').waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: globex.keyId }))?.state.kind).toBe('paused');
  });

  it('sends to the new address of a partner', async () => {
    const { fixture, globex } = stage.platform;
    const url = 'https://new.example.org/webhooks';
    await page.goto(`${stage.url}/endpoints/${globex.keyId}`);
    await page.getByLabel('New URL').fill(url);
    await page.getByRole('button', { name: 'Set the URL…' }).click();
    await page.getByText('Everything that waits goes to the new URL.').waitFor();
    await page.getByRole('button', { name: 'Set the URL', exact: true }).click();
    await page.getByText('Events are sent to the new URL.').waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: globex.keyId }))?.url).toBe(url);
  });

  it('explains why an address of a private network is refused', async () => {
    const { fixture, globex } = stage.platform;
    await page.goto(`${stage.url}/endpoints/${globex.keyId}`);
    await page.getByLabel('New URL').fill('http://10.0.0.1/webhooks');
    await page.getByRole('button', { name: 'Set the URL…' }).click();
    await page.getByRole('button', { name: 'Set the URL', exact: true }).click();
    await page.getByText(/Nothing was changed/).waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: globex.keyId }))?.url).not.toContain('10.0.0.1');
  });

  it('rotates a signing secret, and shows the new one once', async () => {
    const { acme } = stage.platform;
    await page.goto(`${stage.url}/endpoints/${acme.keyId}`);
    await page.getByRole('button', { name: 'Rotate the signing secret…' }).click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
    expect(secret).toMatch(/^whsec_.{20}/);
    await page.reload();
    await page.getByRole('heading', { name: 'The signing secret was rotated already' }).waitFor();
    expect(await page.content()).not.toContain('whsec_');
    await page.goto(`${stage.url}/endpoints/${acme.keyId}`);
    expect(await page.content()).not.toContain(secret);
  });

  it('replays the events of a partner that has lost its data', async () => {
    await openScreen('Deliveries');
    await page.getByLabel('Partner key to replay').selectOption({ label: 'Acme ATS (production)' });
    await page.getByLabel('Replay from (UTC)').fill('2000-01-01T00:00');
    await page.getByRole('button', { name: 'Count, then replay…' }).click();
    await page.getByRole('heading', { level: 1, name: /^Replay \d+ events\?$/ }).waitFor();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText(/The worker sends \d+ events now\./).waitFor();
  });

  it('takes a company away from a partner, and sees that the partner lost it', async () => {
    const { fixture, globex, acme } = stage.platform;
    await openScreen('Partners and keys');
    await page
      .getByRole('row', { name: /Globex/ })
      .getByRole('link', { name: 'production' })
      .click();
    await page
      .getByRole('row', { name: /Initech/ })
      .getByRole('button', { name: 'Revoke…' })
      .click();
    await page.getByText('The key no longer sees the jobs of the company').waitFor();
    await page.getByRole('button', { name: 'Revoke access', exact: true }).click();
    await page.getByText('Access is revoked.').waitFor();
    await page.getByRole('button', { name: 'Grant again…' }).waitFor();
    const { items: access } = await fixture.operator.access.list({ keyId: globex.keyId });
    expect(access.find(({ companyId }) => companyId === acme.companyId)?.revokedAt).not.toBeNull();
  });

  it('lets a new partner submit its backlog faster for a day', async () => {
    const { fixture, acme } = stage.platform;
    await page.goto(`${stage.url}/keys/${acme.keyId}`);
    await page.getByRole('button', { name: 'Allow more…' }).click();
    await page.getByText('five times as many candidates a minute').waitFor();
    await page.getByRole('button', { name: 'Allow more', exact: true }).click();
    await page.getByText(/The key may submit more until/).waitFor();
    const { items: access } = await fixture.operator.access.list({ keyId: acme.keyId });
    expect(access[0]?.bootstrapUntil).toBeGreaterThan(fixture.clock.now());
  });

  it('adds a company, and mends its name', async () => {
    await openScreen('Jobs and companies');
    await page.getByLabel('Name', { exact: true }).fill('Umbrela');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('The company was added.').waitFor();
    await page.getByLabel('New name').fill('Umbrella');
    await page.getByRole('button', { name: 'Rename…' }).click();
    await page.getByText('No event is sent.').waitFor();
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Umbrella' }).waitFor();
  });

  it('finds out what a colleague did', async () => {
    const { fixture, acme } = stage.platform;
    const kim = fixture.operator.as({ id: 'user_9', name: 'Kim', reason: 'ticket 4711' });
    await kim.endpoints.pause({ keyId: acme.keyId });
    await openScreen('Audit');
    await page.getByLabel('Actor').selectOption({ label: 'Kim' });
    await page.getByRole('button', { name: 'Filter' }).click();
    const row = page.getByRole('row', { name: /Kim/ });
    await row.getByText('Paused sending').waitFor();
    await row.getByText('ticket 4711').waitFor();
  });
});
