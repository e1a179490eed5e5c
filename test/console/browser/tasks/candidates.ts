/** Support tasks about candidates in a real browser, with and without scripting. */
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { declareTasks, search, type Task } from './task.js';

export const candidates: readonly Task[] = declareTasks(openPlatform, {
  'finds the candidate by e-mail, and how the partner was told, for "Does Acme know that we hired her?"':
    async (desk) => {
      const { page } = desk;
      await search(desk, 'ada@example.org');
      await page
        .getByRole('row', { name: /accepted/ })
        .getByRole('link', { name: 'A… L…' })
        .click();
      await page.getByText('The partner knows the present status.').waitFor();
      await page
        .getByText(/The partner’s endpoint accepted the event\.|was recorded for the partner\./)
        .first()
        .waitFor();
    },

  'finds "Hopper Grace" from any page, for "She never heard"': async ({ stage, page, isScripted }) => {
    await page.goto(`${stage.url}/requests`);
    const box = page.getByRole('searchbox', { name: 'Search everything' });
    if (isScripted) {
      await page.keyboard.press('/');
      expect(await box.and(page.locator(':focus')).count()).toBe(1);
    }
    await box.fill('hopper grace');
    await box.press('Enter');
    await page.getByRole('link', { name: 'G… H…' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Application of G… H…' }).waitFor();
  },

  'finds an application by the phone number of a caller': async (desk) => {
    const { page } = desk;
    await search(desk, '+1 415 555 0124');
    await page.getByRole('link', { name: 'G… H…' }).click();
    await page.getByRole('heading', { level: 1, name: 'Application of G… H…' }).waitFor();
  },

  'finds an application by the id of the partner’s system': async (desk) => {
    const { platform, stage, page } = desk;
    await search(desk, 'ats-4712');
    await page.getByRole('link', { name: 'A… T…' }).click();
    await page.getByRole('heading', { level: 1, name: 'Application of A… T…' }).waitFor();
    expect(page.url()).toBe(`${stage.url}/applications/${platform.alan}`);
  },

  'sees why a résumé is missing, and has it fetched again': async ({ platform, stage, page }) => {
    const { alan, fixture } = platform;
    await page.goto(`${stage.url}/applications/${alan}`);
    await page.getByText('too large').first().waitFor();
    await page.getByRole('button', { name: 'Fetch the résumé again' }).click();
    await page.getByText('The worker fetches the résumé again.').waitFor();
    expect((await fixture.operator.applications.find({ id: alan }))?.resume.kind).toBe('pending');
  },

  'moves a candidate to the next stage': async ({ platform, stage, page }) => {
    const { linus, fixture } = platform;
    await page.goto(`${stage.url}/applications/${linus}`);
    await page.getByLabel('Move to the stage').selectOption('final_review');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('The application was moved.').waitFor();
    expect((await fixture.operator.applications.find({ id: linus }))?.stage).toBe('final_review');
  },

  'hires a candidate after a look at what will happen': async ({ platform, stage, page }) => {
    const { linus, fixture } = platform;
    await page.goto(`${stage.url}/applications/${linus}`);
    await page.getByRole('button', { name: 'Hire…' }).click();
    await page.getByText('A decision is final: it cannot be changed or undone.').waitFor();
    expect((await fixture.operator.applications.find({ id: linus }))?.status).toBe('in_progress');
    await page.getByRole('button', { name: 'Hire', exact: true }).click();
    await page.getByText('Hired. The partner gets an event.').waitFor();
    expect((await fixture.operator.applications.find({ id: linus }))?.status).toBe('accepted');
  },

  'erases a candidate who asks for it': async (desk) => {
    const { platform, page } = desk;
    const { grace, fixture } = platform;
    await search(desk, 'grace@example.org');
    await page.getByRole('link', { name: 'G… H…' }).click();
    await page.getByRole('button', { name: 'Erase the candidate…' }).click();
    await page.getByText('This cannot be undone.').waitFor();
    await page.getByLabel('Reason (optional)').fill('request 12');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByText('The candidate was erased.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Application, erased' }).waitFor();
    expect((await fixture.operator.applications.find({ id: grace }))?.erasedAt).not.toBeNull();
  },
});
