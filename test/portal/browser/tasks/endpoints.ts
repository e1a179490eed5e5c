/** Questions about a partner's own webhook endpoint. */
import { createPartner } from '@partner-hiring/test-support/partner';
import { answered } from '@partner-hiring/test-support/transport';
import { expect } from 'vitest';
import type { Task } from '../../../console/browser/tasks/task.js';
import { seedFailing } from '../../../console/seed.js';
import { tasksOf } from './task.js';

export const endpoints: readonly Task[] = [
  ...tasksOf('hooli', {
    'finds out that its endpoint is paused and why, and resumes it': async (desk) => {
      const { platform, page } = desk;
      const { fixture, hooli } = platform;
      fixture.transport.answerWith(200);
      await desk.open();
      await page.getByText(/endpoint was paused .*, because your endpoint answered 410 Gone/).waitFor();
      await desk.follow('Open the endpoint');
      await desk.press('Resume…');
      await desk.press('Resume');
      await page.getByText('Sending is resumed.').waitFor();
      expect((await fixture.operator.endpoints.find({ keyId: hooli.keyId }))?.state.kind).toBe('active');
      const [entry] = (await fixture.operator.audit.list({ act: 'endpoints.resume' })).items;
      expect(entry?.actor.id).toBe(`partner:${hooli.partnerId}`);
    },
  }),

  ...tasksOf('acme', {
    'learns that only the platform can resume what the platform paused': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      await fixture.operator.as({ id: 'user_9', name: 'Kim' }).endpoints.pause({ keyId: acme.keyId });
      await desk.open();
      await desk.follow('Open the endpoint');
      await page.getByText('Ask the support to resume it.').waitFor();
      expect(await page.getByRole('button', { name: 'Resume…' }).count()).toBe(0);
    },

    'finds out why its endpoint fails': async (desk) => {
      const { platform, page } = desk;
      await seedFailing(platform);
      await desk.open();
      await page.getByText(/Your production endpoint started failing/).waitFor();
      await desk.follow('Open the endpoint');
      await page.getByText('it answered 503').first().waitFor();
      expect(await page.content()).not.toContain('down for maintenance');
    },

    'tests its endpoint': async (desk) => {
      const { page } = desk;
      await desk.openAt('Webhooks', 'Production');
      await desk.press('Send a test event');
      await page.getByText('Your endpoint accepted the test event.').waitFor();
    },

    'finds out what its endpoint answers to a test': async (desk) => {
      const { platform, page } = desk;
      platform.fixture.transport.answerWith(() => ({ ...answered(401), excerpt: 'internal-host' }));
      await desk.openAt('Webhooks', 'Production');
      await desk.press('Send a test event');
      await page.getByText('Your endpoint did not accept the test event.').waitFor();
      await page.getByText('it answered 401').first().waitFor();
      expect(await page.content()).not.toContain('internal-host');
    },

    'moves its endpoint to a new URL': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      await desk.openAt('Webhooks', 'Production');
      await page.getByLabel('New URL').fill('https://new.example.org/webhooks');
      await desk.press('Test and change it');
      await page.getByText('Your endpoint accepted the test event. Events are sent to it').waitFor();
      const { url } = (await fixture.operator.endpoints.find({ keyId: acme.keyId })) ?? {};
      expect(url).toBe('https://new.example.org/webhooks');
    },

    'learns why a new URL was refused, beside the field': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      fixture.transport.answerWith(500);
      await desk.openAt('Webhooks', 'Production');
      await page.getByLabel('New URL').fill('https://broken.example.org/webhooks');
      await desk.press('Test and change it');
      await page.getByRole('alert').getByText('It answered our test event with an error.').waitFor();
      expect(await page.getByLabel('New URL').inputValue()).toBe('https://broken.example.org/webhooks');
      const { url } = (await fixture.operator.endpoints.find({ keyId: acme.keyId })) ?? {};
      expect(url).not.toContain('broken');
    },

    'rotates its signing secret, and sees the new one once': async (desk) => {
      const { page } = desk;
      await desk.openAt('Webhooks', 'Production');
      await desk.press('Rotate the signing secret…');
      await desk.press('Rotate');
      const secret = (await page.getByText(/^whsec_[\w-]{20}/).textContent()) ?? '';
      desk.answered();
      await page.reload();
      await page.getByRole('heading', { name: 'The signing secret was rotated already' }).waitFor();
      expect(await page.content()).not.toContain(secret);
    },

    'finds out until when its old signing secret signs': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      await fixture.operator.endpoints.rotateSecret({ keyId: acme.keyId });
      await desk.openAt('Keys and secrets');
      const until = new Date(fixture.clock.now() + 86_400_000).toUTCString().slice(17, 22);
      await page.getByRole('row', { name: new RegExp(`replaced.*${until} UTC`) }).waitFor();
      await desk.follow('The production endpoint, where you rotate its signing secret');
      await page.getByRole('row', { name: new RegExp(`replaced.*${until} UTC`) }).waitFor();
    },

    'pauses its endpoint before maintenance': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      await desk.openAt('Webhooks', 'Production');
      await desk.press('Pause…');
      await page.getByText('No event is lost').waitFor();
      await desk.press('Pause');
      await page.getByText('Sending is paused. Your events wait until you resume.').waitFor();
      const { state } = (await fixture.operator.endpoints.find({ keyId: acme.keyId })) ?? {};
      expect(state).toMatchObject({ kind: 'paused', reason: 'partner' });
    },

    'adds the endpoint of its sandbox key, and gets its signing secret': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      const { partnerId } = acme;
      const { keyId } = await createPartner(fixture, { partnerId, sandbox: true, endpoint: false });
      await desk.openAt('Webhooks', 'Sandbox');
      await page.getByLabel('URL of your webhook receiver').fill('https://test.example.org/webhooks');
      await desk.press('Test and add it');
      await page.getByText(/^whsec_[\w-]{20}/).waitFor();
      const { url } = (await fixture.operator.endpoints.find({ keyId })) ?? {};
      expect(url).toBe('https://test.example.org/webhooks');
    },
  }),
];
