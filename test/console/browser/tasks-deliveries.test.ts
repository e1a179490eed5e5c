/** Support tasks about deliveries, endpoints and requests in a real browser, with and without scripting. */
import { randomUUID } from 'node:crypto';
import { send, submission } from '@partner-hiring/test-support/partner';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserContext, Page } from '../../browser/chromium.js';
import { seedDeadLetters, seedFailing } from '../seed.js';
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

  it('redelivers three chosen dead letters', async () => {
    const { fixture, acme, globex } = stage.platform;
    const deadOf = await seedDeadLetters(stage.platform, 2);
    fixture.transport.answerWith(200);
    await openScreen('Deliveries');
    await page.getByLabel('State').selectOption('dead');
    await page.getByRole('button', { name: 'Filter' }).click();
    const boxes = page.getByRole('checkbox', { name: /^Choose Job opened/ });
    await expect.poll(() => boxes.count()).toBe(4);
    for (const index of [0, 1, 2]) await boxes.nth(index).check();
    await page.getByRole('button', { name: 'Redeliver chosen…' }).click();
    await page.getByRole('heading', { level: 1, name: 'Redeliver 3 events?' }).waitFor();
    await page.getByRole('button', { name: 'Redeliver', exact: true }).click();
    await page.getByText('The worker sends 3 events now.').waitFor();
    await fixture.pass(1_000);
    expect([...(await deadOf(acme.keyId)), ...(await deadOf(globex.keyId))]).toHaveLength(1);
  });

  it('redelivers all dead letters of one partner after a count', async () => {
    const { acme, globex } = stage.platform;
    const deadOf = await seedDeadLetters(stage.platform, 2);
    await openScreen('Deliveries');
    await page.getByLabel('Partner key to redeliver').selectOption({ label: 'Globex (production)' });
    await page.getByRole('button', { name: 'Count, then redeliver all…' }).click();
    await page.getByText('Dead letters to send again').waitFor();
    await page.getByRole('button', { name: 'Redeliver all', exact: true }).click();
    await page.getByText('The worker sends 2 events now.').waitFor();
    expect(await deadOf(globex.keyId)).toEqual([]);
    expect(await deadOf(acme.keyId)).toHaveLength(2);
  });

  it('finds out why an event fails, follows it to the endpoint, and retries it', async () => {
    const { fixture } = stage.platform;
    await seedFailing(stage.platform);
    await openScreen('Deliveries');
    await page.getByLabel('Failing').selectOption('yes');
    await page.getByLabel('Partner key', { exact: true }).selectOption({ label: 'Acme ATS (production)' });
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: 'Job opened' }).click();
    await page.getByText('down for maintenance').waitFor();
    expect(await page.getByLabel('Copy as curl').inputValue()).toContain(
      "curl --globoff -X POST 'https://ats.example.org/webhooks'",
    );
    await page.getByRole('link', { name: 'Endpoint of this key' }).click();
    await page.getByRole('heading', { level: 1, name: 'Endpoint of Acme ATS (production)' }).waitFor();
    await page.goBack();
    fixture.transport.answerWith(200);
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('The worker sends the event now.').waitFor();
    await fixture.pass(1_000);
    await page.reload();
    await page.getByRole('cell', { name: 'HTTP 200' }).waitFor();
  });

  it('cancels a delivery that must not arrive', async () => {
    const { fixture, acme } = stage.platform;
    const eventId = await seedFailing(stage.platform);
    await page.goto(`${stage.url}/deliveries/${acme.keyId}/${eventId}`);
    await page.getByRole('button', { name: 'Cancel the delivery…' }).click();
    await page.getByLabel('Reason (optional)').fill('published by mistake');
    await page.getByRole('button', { name: 'Cancel the delivery', exact: true }).click();
    await page.getByText('The delivery is cancelled.').waitFor();
    const found = await fixture.operator.deliveries.find({ keyId: acme.keyId, eventId });
    expect(found?.delivery.state).toBe('cancelled');
  });

  it('resumes a paused endpoint and retries now', async () => {
    const { fixture, hooli } = stage.platform;
    fixture.transport.answerWith(200);
    await openScreen('Endpoints');
    await page
      .getByLabel('Endpoints whose last attempt failed')
      .getByRole('link', { name: 'Hooli (production)' })
      .click();
    await page.getByText('Paused, because it answered 410 Gone.').waitFor();
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('Sending is resumed. 1 delivery is retried now.').waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: hooli.keyId }))?.state.kind).toBe('active');
  });

  it('tests an endpoint after the partner says that it is mended', async () => {
    const { fixture, acme } = stage.platform;
    fixture.transport.answerWith({ kind: 'answered', status: 204, excerpt: '' });
    await page.goto(`${stage.url}/endpoints/${acme.keyId}`);
    await page.getByLabel('Test event').selectOption('job.closed');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The endpoint accepted the test event.').waitFor();
  });

  it('finds out why the last request of a partner was refused', async () => {
    const { fixture, acme } = stage.platform;
    const { operator } = fixture;
    await operator.jobs.close({ id: acme.jobId as `job_${string}` });
    const { secret } = await operator.keys.rotate({ keyId: acme.keyId });
    await send(fixture, 'POST', '/applications', {
      headers: {
        authorization: `Bearer ${secret}`,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
      },
      body: JSON.stringify(submission(acme.jobId, {})),
    });
    await openScreen('Partners and keys');
    await page.getByRole('link', { name: 'Acme ATS' }).click();
    await page.getByRole('link', { name: 'Requests of this partner' }).click();
    await page.getByLabel('Answers').selectOption('yes');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page
      .getByRole('row', { name: /JOB_CLOSED/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByText('The request was refused: JOB_CLOSED').waitFor();
    await page.getByText('A job takes applications only while it is open').waitFor();
  });
});
