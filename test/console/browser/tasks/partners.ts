/** Support tasks about endpoints, access, companies and the audit in a real browser, with and without scripting. */
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { declareTasks, openScreen, type Task } from './task.js';

export const partners: readonly Task[] = declareTasks(openPlatform, {
  'pauses an endpoint that a partner takes down for maintenance': async (desk) => {
    const { platform, page } = desk;
    const { fixture, globex } = platform;
    await openScreen(desk, 'Endpoints');
    await page.getByRole('link', { name: 'Globex (production)' }).first().click();
    await page.getByRole('button', { name: 'Pause…' }).click();
    await page.getByText('Sending stops at the next poll of the worker.').waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Sending is paused.').waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: globex.keyId }))?.state.kind).toBe('paused');
  },

  'sends to the new address of a partner': async ({ platform, stage, page }) => {
    const { fixture, globex } = platform;
    const url = 'https://new.example.org/webhooks';
    await page.goto(`${stage.url}/endpoints/${globex.keyId}`);
    await page.getByLabel('New URL').fill(url);
    await page.getByRole('button', { name: 'Set the URL…' }).click();
    await page.getByText('Everything that waits goes to the new URL.').waitFor();
    await page.getByRole('button', { name: 'Set the URL', exact: true }).click();
    await page.getByText('Events are sent to the new URL.').waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: globex.keyId }))?.url).toBe(url);
  },

  'explains why an address of a private network is refused': async ({ platform, stage, page }) => {
    const { fixture, globex } = platform;
    await page.goto(`${stage.url}/endpoints/${globex.keyId}`);
    await page.getByLabel('New URL').fill('http://10.0.0.1/webhooks');
    await page.getByRole('button', { name: 'Set the URL…' }).click();
    await page.getByRole('button', { name: 'Set the URL', exact: true }).click();
    await page.getByText(/Nothing was changed/).waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: globex.keyId }))?.url).not.toContain('10.0.0.1');
  },

  'rotates a signing secret, and shows the new one once': async ({ platform, stage, page }) => {
    const { acme } = platform;
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
  },

  'replays the events of a partner that has lost its data': async (desk) => {
    const { page } = desk;
    await openScreen(desk, 'Deliveries');
    await page.getByLabel('Partner key to replay').selectOption({ label: 'Acme ATS (production)' });
    await page.getByLabel('Replay from (UTC)').fill('2000-01-01T00:00');
    await page.getByRole('button', { name: 'Count, then replay…' }).click();
    await page.getByRole('heading', { level: 1, name: /^Replay \d+ events\?$/ }).waitFor();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText(/The worker sends \d+ events now\./).waitFor();
  },

  'takes a company away from a partner, and sees that the partner lost it': async (desk) => {
    const { platform, page } = desk;
    const { fixture, globex, acme } = platform;
    await openScreen(desk, 'Partners and keys');
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
  },

  'lets a new partner submit its backlog faster for a day': async ({ platform, stage, page }) => {
    const { fixture, acme } = platform;
    await page.goto(`${stage.url}/keys/${acme.keyId}`);
    await page.getByRole('button', { name: 'Allow more…' }).click();
    await page.getByText('five times as many candidates a minute').waitFor();
    await page.getByRole('button', { name: 'Allow more', exact: true }).click();
    await page.getByText(/The key may submit more until/).waitFor();
    const { items: access } = await fixture.operator.access.list({ keyId: acme.keyId });
    expect(access[0]?.bootstrapUntil).toBeGreaterThan(fixture.clock.now());
  },

  'adds a company, and mends its name': async (desk) => {
    const { page } = desk;
    await openScreen(desk, 'Jobs and companies');
    await page.getByLabel('Name', { exact: true }).fill('Umbrela');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('The company was added.').waitFor();
    await page.getByLabel('New name').fill('Umbrella');
    await page.getByRole('button', { name: 'Rename…' }).click();
    await page.getByText('No event is sent.').waitFor();
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Umbrella' }).waitFor();
  },

  'finds out what a colleague did': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    const kim = fixture.operator.as({ id: 'user_9', name: 'Kim', reason: 'ticket 4711' });
    await kim.endpoints.pause({ keyId: acme.keyId });
    await openScreen(desk, 'Audit');
    await page.getByLabel('Actor').selectOption({ label: 'Kim' });
    await page.getByRole('button', { name: 'Filter' }).click();
    const row = page.getByRole('row', { name: /Kim/ });
    await row.getByText('Paused sending').waitFor();
    await row.getByText('ticket 4711').waitFor();
  },
});
