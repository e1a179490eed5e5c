/** Support tasks about applications, found by each kind of text that a caller says. */
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { aboutOne, type Task } from './task.js';

export const applications: readonly Task[] = aboutOne(openPlatform, {
  'finds out why a candidate never heard, and resends the news': async (desk) => {
    const { platform, page } = desk;
    const { fixture, grace } = platform;
    fixture.transport.answerWith(200);
    await desk.openFound('hopper grace', 'G… H…');
    await page.getByText('Sending to its endpoint is paused:').waitFor();
    await desk.press('Resume sending…');
    await page.getByLabel('Reason (optional)').fill('ticket 815');
    await desk.press('Resume');
    await page.getByText('Sending is resumed.').waitFor();
    desk.answered();
    await fixture.pass(60_000);
    await page.reload();
    await page.getByText('The partner knows the present status.').waitFor();
    expect(await page.getByText('Sending is resumed.').count()).toBe(0);
    const { items: entries } = await fixture.operator.audit.list({ act: 'endpoints.resume' });
    expect(entries[0]?.actor.reason).toBe('ticket 815');
    expect((await fixture.operator.timelines.find({ applicationId: grace })).news?.state).toBe('delivered');
  },

  'finds out by e-mail address whether a partner knows of a hire': async (desk) => {
    const { page } = desk;
    await desk.open();
    await desk.search('ada@example.org');
    const people = page.getByRole('region', { name: 'People' });
    await people
      .getByRole('row', { name: /accepted/ })
      .getByRole('link', { name: 'A… L…' })
      .click();
    await page.getByText('The partner knows the present status.').waitFor();
    await page.getByText('The partner’s endpoint accepted the event.').first().waitFor();
  },

  'finds an application by the phone number of a caller': async (desk) => {
    await desk.openFound('+1 415 555 0124', 'G… H…');
    await desk.page.getByRole('heading', { level: 1, name: 'Application of G… H…' }).waitFor();
  },

  'finds an application by the id of the partner’s system': async (desk) => {
    const { platform, page } = desk;
    await desk.openFound('ats-4712', 'A… T…');
    await page.getByRole('heading', { level: 1, name: 'Application of A… T…' }).waitFor();
    expect(page.url()).toBe(`${desk.url}/applications/${platform.alan}`);
  },

  'finds out why a résumé is missing, and has it fetched again': async (desk) => {
    const { platform, page } = desk;
    const { alan, fixture } = platform;
    await desk.openAt('Queues', 'Résumés that failed');
    await page.getByRole('cell', { name: 'too large' }).waitFor();
    await desk.follow('A… T…');
    await desk.press('Fetch the résumé again');
    await page.getByText('The worker fetches the résumé again.').waitFor();
    expect((await fixture.operator.applications.find({ id: alan }))?.resume.kind).toBe('pending');
  },

  'moves a candidate to the next stage': async (desk) => {
    const { linus, fixture } = desk.platform;
    await desk.open();
    await desk.search(linus);
    await desk.choose('Move to the stage', 'final_review');
    await desk.press('Move');
    await desk.page.getByText('The application was moved.').waitFor();
    expect((await fixture.operator.applications.find({ id: linus }))?.stage).toBe('final_review');
  },

  'hires a candidate after a look at what will happen': async (desk) => {
    const { platform, page } = desk;
    const { linus, fixture } = platform;
    await desk.open();
    await desk.search(linus);
    await desk.press('Hire…');
    await page.getByText('A decision is final: it cannot be changed or undone.').waitFor();
    expect((await fixture.operator.applications.find({ id: linus }))?.status).toBe('in_progress');
    await desk.press('Hire');
    await page.getByText('Hired. The partner gets an event.').waitFor();
    expect((await fixture.operator.applications.find({ id: linus }))?.status).toBe('accepted');
  },

  'rejects a candidate, and finds the decision in the audit': async (desk) => {
    const { platform, page } = desk;
    await desk.open();
    await desk.search(platform.linus);
    await desk.press('Reject…');
    await page.getByText('A decision is final').waitFor();
    await desk.press('Reject');
    await page.getByText('Rejected. The partner gets an event.').waitFor();
    await desk.follow('Acts on this application in the audit');
    await page.getByRole('table').getByRole('link', { name: 'Decided on the application' }).first().waitFor();
  },

  'reveals a candidate, which the audit records': async (desk) => {
    const { platform, page } = desk;
    await desk.open();
    await desk.search(platform.alan);
    await page.getByRole('heading', { level: 1, name: 'Application of A… T…' }).waitFor();
    expect(await page.getByText('alan@example.org').count()).toBe(0);
    await desk.press('Reveal');
    await page.getByText('alan@example.org').waitFor();
    await desk.openScreen('Audit');
    const row = page.getByRole('row', { name: /Robin Admin/ });
    await row.getByRole('link', { name: 'Looked at the candidate' }).waitFor();
  },
});
