/** Questions about a partner's own keys. */
import { expect } from 'vitest';
import { startProgram } from '../../acts-of-partner.js';
import { tasksOf } from './task.js';

export const keys = tasksOf('acme', {
  'rotates its API key, and sees the new one once': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    await desk.openAt('Keys and secrets');
    await desk.press('Rotate the production API key…');
    await desk.press('Rotate');
    const secret = (await page.getByText(/^pek_live_/).textContent()) ?? '';
    expect(page.url()).not.toContain(secret);
    desk.answered();
    await page.reload();
    await page.getByRole('heading', { name: 'The API key was rotated already' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const { secrets = [] } = (await fixture.operator.keys.find({ id: acme.keyId })) ?? {};
    expect(secrets.map(({ state }) => state)).toEqual(['current', 'replaced']);
  },

  'lets an API key that leaked stop at once': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    await desk.openAt('Keys and secrets');
    await desk.press('Rotate the production API key…');
    await desk.choose('How long the old API key continues to work', '0');
    await desk.press('Rotate');
    await page.getByText('does not work anymore').waitFor();
    const { secrets = [] } = (await fixture.operator.keys.find({ id: acme.keyId })) ?? {};
    expect(secrets.map(({ state }) => state)).toEqual(['current', 'expired']);
  },

  'stops the old API key before its time, once its system uses the new one': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    await fixture.operator.keys.rotate({ id: acme.keyId });
    await desk.openAt('Keys and secrets');
    await page.getByText('look at its “Last used”').waitFor();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: /^Stop …/ }).click();
    await page.getByText('Requests with it fail from then on.').waitFor();
    await desk.press('Stop it now');
    await page.getByText('The old API key does not work anymore.').waitFor();
    const { secrets = [] } = (await fixture.operator.keys.find({ id: acme.keyId })) ?? {};
    expect(secrets.map(({ state }) => state)).toEqual(['current', 'revoked']);
  },

  'finds out that its system still uses the old API key': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    const program = await startProgram(platform);
    await fixture.pass(60_000);
    await fixture.operator.keys.rotate({ id: acme.keyId });
    await fixture.pass(120_000);
    await program.get('/jobs');
    await fixture.pass(120_000);
    await desk.open();
    await page.getByText('Your production system still uses the old API key').waitFor();
    await desk.follow('Open keys and secrets');
    await page.getByRole('row', { name: /replaced/ }).waitFor();
  },

  'finds out which companies’ jobs it sees': async (desk) => {
    const { page } = desk;
    await desk.openAt('Keys and secrets', 'Companies whose production jobs you see');
    await page.getByRole('row', { name: /Initech/ }).waitFor();
  },

  'finds out how many requests a minute it may send': async (desk) => {
    const { page } = desk;
    await desk.openAt('Keys and secrets', 'Companies whose production jobs you see');
    await page.getByText('10 for each company').waitFor();
  },

  'finds out until when it may submit its backlog faster': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    const companyId = acme.companyId as `co_${string}`;
    await fixture.operator.access.raiseLimit({ keyId: acme.keyId, companyId });
    await desk.openAt('Keys and secrets', 'Companies whose production jobs you see');
    await page
      .getByRole('row', { name: /Initech.*\d/ })
      .getByRole('time')
      .nth(1)
      .waitFor();
  },
});
