/** Support tasks about keys, jobs, operations and workers in a real browser, with and without scripting. */
import { expect } from 'vitest';
import { openSystemPlatform, seedOperation, seedParked, seedWorkers } from '../../seed.js';
import { declareTasks, openScreen, type Task } from './task.js';

export const system: readonly Task[] = declareTasks(openSystemPlatform, {
  'rotates a leaked key, gives the new secret to the partner, and revokes the old one': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    await openScreen(desk, 'Partners and keys');
    await page
      .getByRole('row', { name: /Acme ATS/ })
      .getByRole('link', { name: 'production' })
      .click();
    await page.getByRole('button', { name: 'Rotate the secret…' }).click();
    await page.getByLabel('How long the old secrets continue to work').selectOption('1');
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    const secret = await page.getByText(/^pek_live_/).textContent();
    expect(page.url()).not.toContain(secret);
    await page.reload();
    await page.getByRole('heading', { name: 'The secret was rotated already' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    expect(await page.content()).not.toContain(secret);
    await page
      .getByRole('row', { name: /replaced/ })
      .getByRole('button')
      .click();
    await page.getByText('The other secrets of this key continue to work').waitFor();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('The secret was revoked.').waitFor();
    const found = await fixture.operator.keys.find({ keyId: acme.keyId });
    expect(found?.secrets.map(({ state }) => state)).toEqual(['current', 'revoked']);
  },

  'sets up a new partner with a key, an endpoint and access to a company': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    await openScreen(desk, 'Partners and keys');
    await page.getByLabel('Name').fill('Initrode');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Environment').selectOption('production');
    await page.getByLabel('Webhook URL (optional)').fill('https://initrode.example/hooks');
    await page.getByRole('button', { name: 'Issue the key' }).click();
    await page.getByText(/^whsec_/).waitFor();
    const next = await page.getByRole('link', { name: 'Open the key' }).getAttribute('href');
    await page.reload();
    await page.getByRole('heading', { name: 'The key was issued already' }).waitFor();
    await page.goto(new URL(next ?? '', page.url()).href);
    await page.getByLabel('Company id').fill(acme.companyId);
    await page.getByRole('button', { name: 'Grant access…' }).click();
    await page.getByText('Initech (production)').waitFor();
    await page.getByRole('button', { name: 'Grant access', exact: true }).click();
    await page.getByText('The key has access now.').waitFor();
    const { items: access } = await fixture.operator.access.list({ keyId: keyOf(page.url()) });
    expect(access).toMatchObject([{ companyName: 'Initech', revokedAt: null }]);
  },

  'finds out who closed a job, and reopens it': async (desk) => {
    const { platform, page } = desk;
    const { fixture, acme } = platform;
    const id = acme.jobId as `job_${string}`;
    await fixture.operator.as({ id: 'user_9', name: 'Kim', reason: 'position filled' }).jobs.close({ id });
    await openScreen(desk, 'Jobs and companies');
    await page.getByLabel('Company', { exact: true }).selectOption({ label: 'Initech (production)' });
    await page.getByLabel('State').selectOption('closed');
    await page.getByRole('button', { name: 'Show jobs' }).click();
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByText('Kim closed the job. Reason: position filled.').waitFor();
    await page.getByRole('button', { name: 'Reopen the job…' }).click();
    await page.getByRole('button', { name: 'Reopen the job', exact: true }).click();
    await page.getByText('The job is open.').waitFor();
    expect((await fixture.operator.jobs.find({ id }))?.state).toBe('open');
  },

  'hides a job from partners after seeing which keys see it': async ({ platform, stage, page }) => {
    const { fixture, acme } = platform;
    await page.goto(`${stage.url}/jobs/${acme.jobId}`);
    await page.getByRole('row', { name: /Hooli \(production\).*yes/ }).waitFor();
    await page.getByRole('button', { name: 'Make it internal only…' }).click();
    await page.getByText('Keys that see it now').waitFor();
    await page.getByRole('button', { name: 'Make it internal only', exact: true }).click();
    await page.getByText('The job is internal only.').waitFor();
    await expect.poll(() => page.getByRole('row', { name: /no longer/ }).count()).toBe(3);
    expect((await fixture.operator.jobs.find({ id: acme.jobId as `job_${string}` }))?.internalOnly).toBe(
      true,
    );
  },

  'stops an operation': async (desk) => {
    const { platform, page } = desk;
    const id = (await seedOperation(platform)) as `op_${string}`;
    await openScreen(desk, 'Operations');
    await page.getByRole('link', { name: 'Publish jobs' }).click();
    await page.getByText('0 of 300 (0 %)').waitFor();
    await page.getByRole('button', { name: 'Stop…' }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('The operation is stopped.').waitFor();
    expect((await platform.fixture.operator.operations.find({ id }))?.state).toBe('stopped');
  },

  'sees which worker died': async (desk) => {
    const { platform, page } = desk;
    await seedWorkers(platform);
    await openScreen(desk, 'System');
    await page.getByText('1 ended without stopping').waitFor();
    await page.getByRole('row', { name: /worker-dead, process 4711.*died/ }).waitFor();
    await page.getByRole('row', { name: /worker-alive, process 4712.*alive/ }).waitFor();
  },

  'hands parked applications over again': async (desk) => {
    const { platform, page } = desk;
    await seedParked(platform);
    await openScreen(desk, 'System');
    await page.getByText('Error: the host is closed').first().waitFor();
    await page.getByRole('button', { name: 'Retry all parked items…' }).click();
    await page.getByRole('button', { name: 'Retry all', exact: true }).click();
    await page.getByText('2 items are handed over again.').waitFor();
    expect((await platform.fixture.operator.inbox.listParked({})).items).toEqual([]);
  },
});

function keyOf(url: string): `key_${string}` {
  const [, keyId] = /\/(key_[^/?#]+)/.exec(url) ?? [];
  if (keyId === undefined) throw new Error(`No key in ${url}.`);
  return keyId as `key_${string}`;
}
