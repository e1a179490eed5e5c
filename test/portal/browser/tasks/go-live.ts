/** Questions about going live. */
import { createPartner } from '@partner-hiring/test-support/partner';
import { tasksOf } from './task.js';

export const goLive = tasksOf('acme', {
  'sees what remains before it goes live': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    const { partnerId } = acme;
    await createPartner(fixture, { partnerId, sandbox: true });
    await desk.open();
    await page.getByText(/items before you go live are open/).waitFor();
    await desk.follow('See what remains');
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
    await desk.open();
    await desk.openScreen('Go live');
    await desk.press('Probe my sandbox endpoint now');
    await page.getByText(/probes? failed. The checklist says what to fix/).waitFor();
  },
});
