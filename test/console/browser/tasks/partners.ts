/** Support tasks about partners: how they do, new ones, and those that leave. */
import { expect } from 'vitest';
import { openPlatform } from '../../platform.js';
import { seedRefused } from './deliveries.js';
import { aboutOne, type Task } from './task.js';

export const partners: readonly Task[] = aboutOne(openPlatform, {
  'finds out how a partner does beside all others, and why it is refused': async (desk) => {
    const { platform, page } = desk;
    await seedRefused(platform);
    await desk.openFound('acme', 'Acme ATS');
    await page.getByRole('heading', { name: 'Health', exact: true }).waitFor();
    const day = page.getByRole('row', { name: /^24 hours/ });
    await day.getByText('others: 0.0 %').first().waitFor();
    await day.getByText('JOB_CLOSED (1)').waitFor();
    await desk.follow('Refused requests');
    await page.getByRole('row', { name: /JOB_CLOSED/ }).waitFor();
  },

  'brings a partner in, and prints its hand-over sheet': async (desk) => {
    const { platform, page, isScripted } = desk;
    await desk.openAt('Partners and keys');
    await page.getByRole('link', { name: 'Add a partner with keys' }).click();
    await page.getByLabel('Name of the partner').fill('Umbrella ATS');
    if (isScripted) {
      expect(await page.getByLabel('Names or ids, one on each line').isVisible()).toBe(false);
      await page.getByLabel('Find a company').fill('initech');
      await page.getByRole('checkbox', { name: 'Initech' }).check();
    } else {
      expect(await page.getByLabel('Find a company').isVisible()).toBe(false);
      await page.getByLabel('Names or ids, one on each line').fill('initech');
    }
    await desk.press('Add the partner');
    await page.getByRole('heading', { name: 'Hand-over sheet of Umbrella ATS' }).waitFor();
    expect(await page.getByRole('button', { name: 'Copy' }).first().isVisible()).toBe(isScripted);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(isScripted);
    const { items: acts } = await platform.fixture.operator.audit.list({ act: 'partners.create' });
    const added = acts.filter(({ after }) => after?.name === 'Umbrella ATS');
    expect(added).toMatchObject([{ after: { companies: 1 } }]);
  },

  'sets the contact of a partner, who then gets messages': async (desk) => {
    const { platform, page } = desk;
    const { fixture, globex } = platform;
    await desk.openFound('globex', 'Globex');
    await page.getByLabel('Name of the contact').fill('Robin Field');
    await page.getByLabel('E-mail of the contact').fill('robin@ats.example');
    await desk.press('Set the contact');
    await page.getByText('The contact was set').waitFor();
    const partner = await fixture.operator.partners.find({ id: globex.partnerId });
    expect(partner?.contact).toEqual({ name: 'Robin Field', email: 'robin@ats.example' });
  },

  'renames a partner': async (desk) => {
    const { platform, page } = desk;
    const { fixture, globex } = platform;
    await desk.openFound('globex', 'Globex');
    await page.getByLabel('New name').fill('Globex Europe');
    await desk.press('Rename…');
    await desk.press('Rename');
    await page.getByText('The partner was renamed.').waitFor();
    const { operator } = fixture;
    expect((await operator.partners.find({ id: globex.partnerId }))?.name).toBe('Globex Europe');
  },

  'disables a partner for a while, and enables it again': async (desk) => {
    const { platform, page } = desk;
    const { fixture, globex } = platform;
    const isDisabled = async () =>
      (await fixture.operator.partners.find({ id: globex.partnerId }))?.disabledAt !== null;
    await desk.openFound('globex', 'Globex');
    await desk.press('Disable…');
    await page.getByText('its keys get 401, and nothing is sent to it').waitFor();
    await desk.press('Disable');
    await page.getByText('The partner is disabled.').waitFor();
    desk.answered();
    expect(await isDisabled()).toBe(true);
    await desk.press('Enable…');
    await desk.press('Enable');
    await page.getByText('The partner is enabled.').waitFor();
    expect(await isDisabled()).toBe(false);
  },

  'finds out what each partner brought this month, and exports it': async (desk) => {
    const { platform, page } = desk;
    await platform.fixture.pass(6 * 60_000);
    await desk.openAt('Totals');
    await page.getByRole('row', { name: /Acme ATS/ }).waitFor();
    expect(await desk.download('Download CSV')).toContain('"Hired"');
  },

  'removes a partner that leaves': async (desk) => {
    const { platform, page } = desk;
    const { fixture, globex } = platform;
    await desk.openFound('globex', 'Globex');
    await desk.press('Remove…');
    await page.getByText('All its secrets are revoked at once').waitFor();
    await desk.press('Remove');
    await page.getByText('The partner is removed. Its secrets are revoked.').waitFor();
    const { items } = await fixture.operator.partners.list();
    expect(items.map(({ name }) => name).sort()).toEqual(['Acme ATS', 'Hooli']);
    const found = await fixture.operator.keys.find({ id: globex.keyId });
    expect(found?.secrets.map(({ state }) => state)).toEqual(['revoked']);
  },
});
