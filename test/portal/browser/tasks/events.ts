/** Questions about the events that a partner was sent. */
import { expect } from 'vitest';
import { seedDeadLetters } from '../../../console/seed.js';
import { tasksOf } from './task.js';

const DAYS_MS = 86_400_000;

export const events = tasksOf('acme', {
  'gets everything again that it missed since Tuesday': async (desk) => {
    const { platform, page } = desk;
    const { transport, clock, pass } = platform.fixture;
    const sent = transport.events().length;
    await desk.openAt('Events');
    const since = new Date(clock.now() - 3 * DAYS_MS).toISOString().slice(0, 16);
    await page.getByLabel('All events since (UTC)').fill(since);
    await desk.press('Resend them…');
    await page.getByText('We resend every event since then').waitFor();
    await page.getByText('Events', { exact: true }).last().waitFor();
    await desk.press('Resend');
    await page.getByText('The events are resent now').waitFor();
    await pass(60_000);
    const again = transport.events().slice(sent);
    expect(again.map(({ type }) => type)).toContain('application.status_changed');
    const ids = transport.events().map(({ id }) => id);
    expect(again.every(({ id }) => ids.indexOf(id) < sent)).toBe(true);
  },

  'gets one event again': async (desk) => {
    const { platform, page } = desk;
    const { transport, pass } = platform.fixture;
    const sent = transport.events().length;
    await desk.openAt('Events', 'Status changed');
    await desk.press('Resend it…');
    await desk.press('Resend');
    await page.getByText('The event is sent now.').waitFor();
    await page.getByText('will be resent', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Send it/ }).count()).toBe(0);
    await pass(60_000);
    expect(transport.events().length).toBe(sent + 1);
  },

  'sees what exactly an event contained': async (desk) => {
    const { platform, page } = desk;
    await desk.openAt('Events', 'Status changed');
    await page.getByText(`"applicationId": "${platform.ada}"`).waitFor();
  },

  'finds the events that failed ten times, and gets one again': async (desk) => {
    const { platform, page } = desk;
    const dead = await seedDeadLetters(platform, 2);
    await desk.open();
    await page.getByText('2 events for your production endpoint failed ten times').waitFor();
    await desk.follow('See them, and resend them');
    await desk.follow('Job opened');
    await desk.press('Send it now');
    await page.getByText('The event is sent now.').waitFor();
    expect(await dead(platform.acme.keyId)).toHaveLength(1);
  },
});
