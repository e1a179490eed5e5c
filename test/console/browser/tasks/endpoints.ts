/** Support tasks about endpoints. */
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { aboutOne, type Task } from './task.js';

export const endpoints: readonly Task[] = aboutOne(openPlatform, {
  'pauses an endpoint that a partner takes down for maintenance': async (desk) => {
    const { platform, page } = desk;
    const { fixture, globex } = platform;
    await desk.openAt('Endpoints', 'Globex (production)');
    await desk.press('Pause…');
    await page.getByText('Sending stops at the next poll of the worker.').waitFor();
    await desk.press('Pause');
    await page.getByText('Sending is paused until the platform resumes it.').waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: globex.keyId }))?.state.kind).toBe('paused');
  },

  'resumes a paused endpoint and retries now': async (desk) => {
    const { platform, page } = desk;
    const { fixture, hooli } = platform;
    fixture.transport.answerWith(200);
    await desk.open();
    await page
      .getByRole('row', { name: /paused/ })
      .getByRole('link', { name: 'Hooli (production)' })
      .click();
    await page.getByText('it answered 410 Gone').first().waitFor();
    await desk.press('Resume…');
    await page.getByLabel('Retry now the delivery that waits').check();
    await desk.press('Resume');
    await page.getByText('Sending is resumed. 1 delivery is retried now.').waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: hooli.keyId }))?.state.kind).toBe('active');
  },

  'sends to the new address of a partner': async (desk) => {
    const { platform, page } = desk;
    const { fixture, globex } = platform;
    const address = 'https://new.example.org/webhooks';
    await desk.openAt('Endpoints', 'Globex (production)');
    await page.getByLabel('New URL').fill(address);
    await desk.press('Set the URL…');
    await page.getByText('Everything that waits goes to the new URL.').waitFor();
    await desk.press('Set the URL');
    await page.getByText('Events are sent to the new URL.').waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: globex.keyId }))?.url).toBe(address);
  },

  'explains why an address of a private network is refused': async (desk) => {
    const { platform, page } = desk;
    const { fixture, globex } = platform;
    await desk.openAt('Endpoints', 'Globex (production)');
    await page.getByLabel('New URL').fill('http://10.0.0.1/webhooks');
    await desk.press('Set the URL…');
    await desk.press('Set the URL');
    await page.getByText(/Nothing was changed/).waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: globex.keyId }))?.url).not.toContain('10.0.0.1');
  },

  'rotates a signing secret, and shows the new one once': async (desk) => {
    const { platform, page } = desk;
    await desk.openAt('Endpoints', 'Acme ATS (production)');
    await desk.press('Rotate the signing secret…');
    await desk.press('Rotate');
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
    expect(secret).toMatch(/^whsec_.{20}/);
    desk.answered();
    await page.reload();
    await page.getByRole('heading', { name: 'The signing secret was rotated already' }).waitFor();
    expect(await page.content()).not.toContain('whsec_');
    await page.goto(`${desk.url}/endpoints/${platform.acme.keyId}`);
    expect(await page.content()).not.toContain(secret);
  },

  'tests an endpoint after the partner says that it is mended': async (desk) => {
    const { platform, page } = desk;
    platform.fixture.transport.answerWith({ kind: 'answered', status: 204, excerpt: '' });
    await desk.openAt('Endpoints', 'Acme ATS (production)');
    await desk.choose('Test event', 'job.closed');
    await desk.press('Send a test');
    await page.getByText('The endpoint accepted the test event.').waitFor();
  },
});
