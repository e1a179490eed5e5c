/** Support tasks about keys and their access to companies. */
import type { KeyId } from '@partner-hiring/core';
import { expect } from 'vitest';
import { openPlatform, type Platform } from '../../platform.js';
import { aboutMany, aboutOne, type Desk, type Task } from './task.js';

async function secretsOf({ fixture }: Platform, keyId: KeyId) {
  return (await fixture.operator.keys.find({ id: keyId }))?.secrets ?? [];
}

async function openKey(desk: Desk, partner: RegExp): Promise<void> {
  await desk.openAt('Partners and keys');
  const row = desk.page.getByRole('row', { name: partner });
  await row.getByRole('link', { name: 'production' }).click();
}

export const keys: readonly Task[] = [
  ...aboutOne(openPlatform, {
    'rotates a key by its last four characters, and shows the new secret once': async (desk) => {
      const { platform, page } = desk;
      const { acme } = platform;
      const [current] = await secretsOf(platform, acme.keyId);
      await desk.open();
      await desk.search(current?.lastFour ?? '');
      await desk.follow('Acme ATS (production)');
      await desk.press('Rotate the secret…');
      await desk.press('Rotate');
      const secret = (await page.getByText(/^pek_live_/).textContent()) ?? '';
      expect(page.url()).not.toContain(secret);
      desk.answered();
      await page.reload();
      await page.getByRole('heading', { name: 'The API key was rotated already' }).waitFor();
      expect(await page.content()).not.toContain(secret);
      await desk.follow('Back');
      await page.getByRole('heading', { name: 'Secrets' }).waitFor();
      expect(await page.content()).not.toContain(secret);
      expect(await secretsOf(platform, acme.keyId)).toHaveLength(2);
    },

    'revokes a leaked secret that was replaced, while the new one works': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      const [leaked] = await secretsOf(platform, acme.keyId);
      await fixture.operator.keys.rotate({ id: acme.keyId });
      await openKey(desk, /Acme ATS/);
      await desk.pressInRow(/replaced/, `Revoke …${leaked?.lastFour}`);
      await page.getByText('The other secrets of this key continue to work').waitFor();
      await desk.press('Revoke');
      await page.getByText('The secret was revoked.').waitFor();
      const states = (await secretsOf(platform, acme.keyId)).map(({ state }) => state);
      expect(states).toEqual(['current', 'revoked']);
    },

    'takes a company away from a partner, and sees that the partner lost it': async (desk) => {
      const { platform, page } = desk;
      const { fixture, globex, acme } = platform;
      await openKey(desk, /Globex/);
      await desk.pressInRow(/Initech/, 'Revoke…');
      await page.getByText('The key no longer sees the jobs of the company').waitFor();
      await desk.press('Revoke access');
      await page.getByText('Access is revoked.').waitFor();
      await page.getByRole('row', { name: /Initech revoked/ }).waitFor();
      const { items: access } = await fixture.operator.access.list({ keyId: globex.keyId });
      expect(access.find(({ companyId }) => companyId === acme.companyId)?.revokedAt).not.toBeNull();
    },

    'finds out which jobs a partner does not see, and another one does': async (desk) => {
      const { platform, page } = desk;
      const { fixture, globex, acme } = platform;
      await fixture.operator.access.revoke({ keyId: globex.keyId, companyId: acme.companyId });
      await openKey(desk, /Globex/);
      await desk.follow('Jobs that only another key sees');
      await desk.choose('Key that sees them', { label: 'Acme ATS (production)' });
      await desk.press('Filter');
      await page.getByText('Access revoked').waitFor();
    },

    'lets a new partner submit its backlog faster for a day': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      await openKey(desk, /Acme ATS/);
      await desk.pressInRow(/Initech/, 'Allow more…');
      await page.getByText('five times as many candidates a minute').waitFor();
      await desk.press('Allow more');
      await page.getByText(/The key may submit more until/).waitFor();
      const { items: access } = await fixture.operator.access.list({ keyId: acme.keyId });
      expect(access[0]?.bootstrapUntil).toBeGreaterThan(fixture.clock.now());
    },

    'slows down a partner that reads too often, for a day, and says why': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      await openKey(desk, /Acme ATS/);
      await desk.press('Lower the limits…');
      await page.getByLabel('GET /jobs, in a minute').fill('6');
      await page.getByLabel('Why, as the partner sees it in the portal').fill('Reads all jobs each second');
      await desk.press('Lower the limits');
      await page.getByText('Lower limits in a minute: GET /jobs 6.').waitFor();
      const found = await fixture.operator.keys.find({ id: acme.keyId });
      expect(found?.key.loweredLimits?.perMinute).toEqual({ list_jobs: 6 });
    },
  }),

  ...aboutMany(openPlatform, {
    'grants a partner the jobs of several companies by their names': async (desk) => {
      const { platform, page, isScripted } = desk;
      const { fixture, hooli } = platform;
      for (const name of ['Umbrella', 'Vandelay'])
        await fixture.operator.companies.create({ name, environment: 'production' });
      await openKey(desk, /Hooli/);
      await desk.unfold('Grant access to companies');
      if (isScripted) {
        await page.getByRole('checkbox', { name: 'Umbrella' }).check();
        await page.getByRole('checkbox', { name: 'Vandelay' }).check();
      } else {
        await page.getByLabel('Names or ids, one on each line').fill('Umbrella\nVandelay');
      }
      await desk.press('Grant access to them…');
      await page.getByRole('heading', { name: 'Grant access to 2 companies?' }).waitFor();
      await desk.press('Grant access');
      await page.getByText('The key has access to 2 more companies now.').waitFor();
      const { items: access } = await fixture.operator.access.list({ keyId: hooli.keyId });
      expect(access.map(({ companyName }) => companyName).toSorted()).toEqual([
        'Initech',
        'Umbrella',
        'Vandelay',
      ]);
    },
  }),
];
