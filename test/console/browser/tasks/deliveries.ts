/** Support tasks about deliveries, endpoints and requests in a real browser, with and without scripting. */

import { randomUUID } from 'node:crypto';
import { send, submission } from '@partner-hiring/test-support/partner';
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { seedDeadLetters, seedFailing } from '../../seed.js';
import { declareTasks, openScreen, type Task } from './task.js';

export const deliveries: readonly Task[] = declareTasks(openPlatform, {
  'redelivers three chosen dead letters': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme, globex } = platform;
    const deadOf = await seedDeadLetters(platform, 2);
    fixture.transport.answerWith(200);
    await openScreen(desk, 'Deliveries');
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
  },

  'redelivers all dead letters of one partner after a count': async (desk) => {
    const { platform, page } = desk;
    const { acme, globex } = platform;
    const deadOf = await seedDeadLetters(platform, 2);
    await openScreen(desk, 'Deliveries');
    await page.getByLabel('Partner key to redeliver').selectOption({ label: 'Globex (production)' });
    await page.getByRole('button', { name: 'Count, then redeliver all…' }).click();
    await page.getByText('Dead letters to send again').waitFor();
    await page.getByRole('button', { name: 'Redeliver all', exact: true }).click();
    await page.getByText('The worker sends 2 events now.').waitFor();
    expect(await deadOf(globex.keyId)).toEqual([]);
    expect(await deadOf(acme.keyId)).toHaveLength(2);
  },

  'finds out why an event fails, follows it to the endpoint, and retries it': async (desk) => {
    const { platform, page } = desk;
    const { fixture } = platform;
    await seedFailing(platform);
    await openScreen(desk, 'Deliveries');
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
  },

  'cancels a delivery that must not arrive': async ({ platform, stage, page }) => {
    const { fixture, acme } = platform;
    const eventId = await seedFailing(platform);
    await page.goto(`${stage.url}/deliveries/${acme.keyId}/${eventId}`);
    await page.getByRole('button', { name: 'Cancel the delivery…' }).click();
    await page.getByLabel('Reason (optional)').fill('published by mistake');
    await page.getByRole('button', { name: 'Cancel the delivery', exact: true }).click();
    await page.getByText('The delivery is cancelled.').waitFor();
    const found = await fixture.operator.deliveries.find({ keyId: acme.keyId, eventId });
    expect(found?.delivery.state).toBe('cancelled');
  },

  'resumes a paused endpoint and retries now': async (desk) => {
    const { platform, page } = desk;
    const { fixture, hooli } = platform;
    fixture.transport.answerWith(200);
    await openScreen(desk, 'Endpoints');
    await page
      .getByLabel('Endpoints whose last attempt failed')
      .getByRole('link', { name: 'Hooli (production)' })
      .click();
    await page.getByText('Paused, because it answered 410 Gone.').waitFor();
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByLabel('Retry now the delivery that waits').check();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('Sending is resumed. 1 delivery is retried now.').waitFor();
    expect((await fixture.operator.endpoints.find({ keyId: hooli.keyId }))?.state.kind).toBe('active');
  },

  'tests an endpoint after the partner says that it is mended': async ({ platform, stage, page }) => {
    const { fixture, acme } = platform;
    fixture.transport.answerWith({ kind: 'answered', status: 204, excerpt: '' });
    await page.goto(`${stage.url}/endpoints/${acme.keyId}`);
    await page.getByLabel('Test event').selectOption('job.closed');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The endpoint accepted the test event.').waitFor();
  },

  'finds out why the last request of a partner was refused': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
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
    await openScreen(desk, 'Partners and keys');
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
  },
});
