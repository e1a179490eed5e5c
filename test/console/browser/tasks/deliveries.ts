/** Support tasks about events and requests. */
import { randomUUID } from 'node:crypto';
import { send, submission } from '@partner-hiring/test-support/partner';
import { expect } from 'vitest';
import { openPlatform, type Platform } from '../../platform.js';
import { seedDeadLetters, seedFailing } from '../../seed.js';
import { aboutMany, aboutOne, type Task } from './task.js';

/** Acme submits a candidate, with other fields than those of a valid submission. */
async function submitOf(
  { fixture, acme }: Platform,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { secret } = await fixture.operator.keys.rotate({ id: acme.keyId });
  await send(fixture, 'POST', '/applications', {
    headers: {
      authorization: `Bearer ${secret}`,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify(submission(acme.jobId, fields)),
  });
}

/** Acme submits a candidate to a closed job. */
export async function seedRefused(platform: Platform): Promise<void> {
  const { fixture, acme } = platform;
  await fixture.operator.jobs.close({ id: acme.jobId as `job_${string}` });
  await submitOf(platform, {});
  await fixture.pass(60_000);
}

export const deliveries: readonly Task[] = [
  ...aboutOne(openPlatform, {
    'finds out why the last request of a partner was refused': async (desk) => {
      const { platform, page } = desk;
      await seedRefused(platform);
      await desk.open();
      await page
        .getByRole('row', { name: /Acme ATS \(production\).*JOB_CLOSED/ })
        .getByRole('link')
        .first()
        .click();
      await page.getByText('The request was refused: JOB_CLOSED').waitFor();
      await page.getByText('A job takes applications only while it is open').waitFor();
    },

    'finds out by its id whether a request succeeded': async (desk) => {
      const { platform, page } = desk;
      const { items } = await platform.fixture.operator.requests.list({ applicationId: platform.ada });
      await desk.open();
      await desk.search(items[0]?.requestId ?? '');
      await page.getByText('The request succeeded.').waitFor();
      await desk.follow('A… L…');
      await page.getByRole('heading', { level: 1, name: 'Application of A… L…' }).waitFor();
    },

    'finds out by its id why an event fails, and retries it': async (desk) => {
      const { platform, page } = desk;
      const { fixture } = platform;
      const eventId = await seedFailing(platform);
      await desk.open();
      await desk.search(eventId);
      await page.getByText('down for maintenance').waitFor();
      expect(await page.getByLabel('Copy as curl').inputValue()).toContain(
        "curl --globoff -X POST 'https://ats.example.org/webhooks'",
      );
      fixture.transport.answerWith(200);
      await desk.press('Retry now');
      await page.getByText('The worker sends the event now.').waitFor();
      desk.answered();
      await fixture.pass(1_000);
      await page.reload();
      await page.getByRole('cell', { name: 'HTTP 200' }).waitFor();
    },

    'cancels a delivery that must not arrive': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      const eventId = await seedFailing(platform);
      await desk.open();
      await desk.search(eventId);
      await desk.press('Cancel the delivery…');
      await page.getByLabel('Reason (optional)').fill('published by mistake');
      await desk.press('Cancel the delivery');
      await page.getByText('The delivery is cancelled.').waitFor();
      const found = await fixture.operator.deliveries.find({ keyId: acme.keyId, eventId });
      expect(found?.delivery.state).toBe('cancelled');
    },
  }),

  ...aboutMany(openPlatform, {
    'finds the submissions that were refused because of one field': async (desk) => {
      const { platform, page } = desk;
      await submitOf(platform, { source: 7 });
      await submitOf(platform, { consentToContact: false });
      await desk.openAt('Requests');
      await desk.choose('Field that failed', 'source');
      await desk.press('Filter');
      await page.getByRole('row', { name: /source: invalid_type.*Warehouse associate/ }).waitFor();
      expect(await page.getByRole('row', { name: /consentToContact/ }).count()).toBe(0);
    },

    'finds the submissions that got one code': async (desk) => {
      const { platform, page } = desk;
      await submitOf(platform, { source: 7 });
      await seedRefused(platform);
      await desk.openAt('Requests');
      await desk.choose('Code of the answer', 'JOB_CLOSED');
      await desk.press('Filter');
      await page
        .getByRole('row', { name: /JOB_CLOSED/ })
        .first()
        .waitFor();
      expect(await page.getByRole('row', { name: /source/ }).count()).toBe(0);
    },

    'resends all dead letters of one partner after a count': async (desk) => {
      const { platform, page } = desk;
      const { acme, globex } = platform;
      const deadOf = await seedDeadLetters(platform, 2);
      await desk.openAt('Deliveries');
      await desk.choose('Partner key to resend to', { label: 'Globex (production)' });
      await desk.press('Count, then resend…');
      await page.getByText('Dead letters to resend').waitFor();
      await desk.press('Resend');
      await page.getByText('The worker sends 2 events now.').waitFor();
      expect(await deadOf(globex.keyId)).toEqual([]);
      expect(await deadOf(acme.keyId)).toHaveLength(2);
    },

    'resends three chosen dead letters': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme, globex } = platform;
      const deadOf = await seedDeadLetters(platform, 2);
      fixture.transport.answerWith(200);
      await desk.openAt('Queues', 'Dead letters');
      const boxes = page.getByRole('checkbox', { name: /^Choose Job opened/ });
      await expect.poll(() => boxes.count()).toBe(4);
      for (const index of [0, 1, 2]) await boxes.nth(index).check();
      await desk.press('Resend chosen…');
      await page.getByRole('heading', { level: 1, name: 'Resend 3 events?' }).waitFor();
      await desk.press('Resend');
      await page.getByText('The worker sends 3 events now.').waitFor();
      await fixture.pass(1_000);
      expect([...(await deadOf(acme.keyId)), ...(await deadOf(globex.keyId))]).toHaveLength(1);
    },

    'resends what failed at all keys of a partner': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      const eventId = await seedFailing(platform);
      fixture.transport.answerWith(200);
      await desk.openFound('acme', 'Acme ATS');
      await desk.press('Count, then resend…');
      await page.getByRole('heading', { level: 1, name: 'Resend 1 event?' }).waitFor();
      await desk.press('Resend');
      await page.getByText('The worker sends them now, one key at a time.').waitFor();
      await fixture.pass(60_000);
      const found = await fixture.operator.deliveries.find({ keyId: acme.keyId, eventId });
      expect(found?.delivery.state).toBe('delivered');
    },

    'resends the events of a time to a partner that has lost its data': async (desk) => {
      const { page } = desk;
      await desk.openAt('Deliveries');
      await desk.choose('Partner key to resend to', { label: 'Acme ATS (production)' });
      await page.getByLabel('All events from (UTC)').fill('2000-01-01T00:00');
      await desk.press('Count, then resend…');
      await page.getByRole('heading', { level: 1, name: /^Resend \d+ events\?$/ }).waitFor();
      await desk.press('Resend');
      await page.getByText(/The worker sends \d+ events now\./).waitFor();
    },
  }),
];
