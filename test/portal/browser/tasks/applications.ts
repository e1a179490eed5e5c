/** Questions about a partner's own applications. */
import { expect } from 'vitest';
import { tasksOf } from './task.js';

export const applications = tasksOf('acme', {
  'finds an application by its own id': async (desk) => {
    const { platform, page } = desk;
    await desk.openAt('Applications');
    await page.getByLabel('Find an application by your own id, or by ours').fill('ats-4712');
    await desk.press('Find');
    await page.getByRole('heading', { level: 1, name: 'Application ats-4712' }).waitFor();
    expect(page.url()).toBe(`${desk.url}/applications/${platform.alan}`);
  },

  'finds an application by the id of its answer': async (desk) => {
    const { platform, page } = desk;
    await desk.openAt('Applications');
    await page.getByLabel('Find an application by your own id, or by ours').fill(platform.ada);
    await desk.press('Find');
    await page.getByRole('heading', { level: 1, name: 'Application ats-4711' }).waitFor();
  },

  'learns that it has no application with an id': async (desk) => {
    const { page } = desk;
    await desk.openAt('Applications');
    await page.getByLabel('Find an application by your own id, or by ours').fill('ATS-4712');
    await desk.press('Find');
    await page.getByRole('alert').getByText('You have no application with this id.').waitFor();
    expect(page.url()).not.toContain('4712');
  },

  'sees that a candidate was accepted, and since when': async (desk) => {
    const { page } = desk;
    await desk.openAt('Applications', 'ats-4711');
    await page.getByText('accepted', { exact: true }).waitFor();
    await page.getByText('Hired', { exact: true }).waitFor();
    await page.getByText('Last change of the status').waitFor();
  },

  'lists the applications that it submitted last': async (desk) => {
    const { page } = desk;
    await desk.openAt('Applications');
    await page.getByRole('row', { name: /ats-4711/ }).waitFor();
    await page.getByRole('row', { name: /ats-4712.*received/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(3);
  },
});
