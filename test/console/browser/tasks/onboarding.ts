/** Support tasks about new partners. */
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { declareTasks, openScreen, type Task } from './task.js';

export const onboarding: readonly Task[] = declareTasks(openPlatform, {
  'brings a partner in, and prints its hand-over sheet': async (desk) => {
    const { platform, page, isScripted } = desk;
    await openScreen(desk, 'Partners and keys');
    await page.getByRole('link', { name: 'Bring a partner in' }).click();
    await page.getByLabel('Name of the partner').fill('Umbrella ATS');
    if (isScripted) {
      expect(await page.getByLabel('Names or ids, one on each line').isVisible()).toBe(false);
      await page.getByLabel('Find a company').fill('initech');
      await page.getByRole('checkbox', { name: 'Initech' }).check();
    } else {
      expect(await page.getByLabel('Find a company').isVisible()).toBe(false);
      await page.getByLabel('Names or ids, one on each line').fill('initech');
    }
    await page.getByRole('button', { name: 'Bring the partner in' }).click();
    await page.getByRole('heading', { name: 'Hand-over sheet of Umbrella ATS' }).waitFor();
    expect(await page.getByRole('button', { name: 'Copy' }).first().isVisible()).toBe(isScripted);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(isScripted);
    const { items: acts } = await platform.fixture.operator.audit.list({ act: 'partners.onboard' });
    expect(acts).toMatchObject([{ after: { name: 'Umbrella ATS', companies: 1 } }]);
  },
});
