/** Questions about going live. */
import { createPartner } from '@partner-hiring/test-support/partner';
import { tasksOf } from './task.js';

export const goLive = tasksOf('acme', {
  'sees what remains before it goes live': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    const { partnerId } = acme;
    await createPartner(fixture, { partnerId, sandbox: true });
    await desk.openAt('Go live');
    await page.getByText('First ask partners@jobs.example.com for access to a sandbox company.').waitFor();
    await page
      .getByRole('row', { name: /Read jobs with a cursor.*open/ })
      .first()
      .waitFor();
  },

  'has its sandbox endpoint probed': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    const { partnerId } = acme;
    await createPartner(fixture, { partnerId, sandbox: true });
    await desk.openAt('Go live');
    await desk.press('Probe my sandbox endpoint now');
    await page
      .getByRole('alert')
      .getByText(/probes? failed. The checklist says what to fix/)
      .waitFor();
  },
});
