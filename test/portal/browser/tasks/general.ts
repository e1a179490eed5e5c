/** Questions about the state as a whole, and where to ask. */
import { expect } from 'vitest';
import { tasksOf } from './task.js';

export const general = tasksOf('acme', {
  'sees in one sentence that all is well, and that its endpoint is active': async (desk) => {
    const { page } = desk;
    await desk.open();
    await page.getByText('All is well').waitFor();
    await desk.openScreen('Webhooks');
    expect(await page.getByRole('row', { name: /Production.*active/ }).count()).toBe(1);
  },

  'finds out which addresses webhooks come from': async (desk) => {
    const { page } = desk;
    await desk.openAt('Documentation');
    await page.getByRole('heading', { name: 'Which addresses do webhooks come from?' }).waitFor();
    await page.getByText('Partner-Hiring-Webhooks/1.0').waitFor();
  },

  'finds the documentation, the address of the API, and whom to ask': async (desk) => {
    const { page } = desk;
    await desk.openAt('Documentation');
    await page.getByRole('link', { name: 'https://jobs.example.com/partner-docs' }).waitFor();
    await page.getByText('https://jobs.example.com/api/v1/external').waitFor();
    await page.getByRole('link', { name: 'partners@jobs.example.com' }).waitFor();
  },
});
