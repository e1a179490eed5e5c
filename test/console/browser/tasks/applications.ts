/** Support tasks about applications. */
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { declareTasks, search, type Task } from './task.js';

export const applications: readonly Task[] = declareTasks(openPlatform, {
  'finds the candidate who never heard back by name, finds out why, and sends it again': async (desk) => {
    const { platform, stage, page } = desk;
    const { fixture, grace } = platform;
    fixture.transport.answerWith(200);
    await search(desk, 'hopper');
    expect(page.url()).toBe(`${stage.url}/applications`);
    await page.getByRole('link', { name: 'G… H…' }).click();
    await page.getByText('sending to its endpoint is paused').waitFor();
    await page.getByRole('button', { name: 'Resume sending…' }).click();
    await page.getByLabel('Reason (optional)').fill('ticket 815');
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('Sending is resumed.').waitFor();
    await fixture.pass(60_000);
    await page.reload();
    await page.getByText('The partner knows the present status.').waitFor();
    expect(await page.getByText('Sending is resumed.').count()).toBe(0);
    const { items: entries } = await fixture.operator.audit.list({ act: 'endpoints.resume' });
    expect(entries[0]?.actor.reason).toBe('ticket 815');
    expect((await fixture.operator.applications.timeline({ id: grace })).news.state).toBe('delivered');
  },

  'reveals a candidate, rejects it after a confirmation, and finds both in the audit': async ({
    platform,
    stage,
    page,
  }) => {
    const { alan } = platform;
    await page.goto(`${stage.url}/applications/${alan}`);
    expect(await page.getByText('alan@example.org').count()).toBe(0);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.getByText('alan@example.org').waitFor();
    await page.goto(`${stage.url}/applications/${alan}`);
    await page.getByLabel('Begin the evaluation at').selectOption('under_review');
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByText('The application was moved.').waitFor();
    await page.getByRole('button', { name: 'Reject…' }).click();
    await page.getByText('A decision is final').waitFor();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText('Rejected. The partner gets an event.').waitFor();
    await page.getByRole('link', { name: 'Acts on this application in the audit' }).click();
    const table = page.getByRole('table');
    await table.getByRole('link', { name: 'Looked at the candidate' }).waitFor();
    await table.getByRole('link', { name: 'Decided on the application' }).waitFor();
  },
});
