/** Support tasks about many objects at once, and about figures of many. */
import { expect } from 'vitest';
import { openPlatform, type Platform } from '../../platform.js';
import { aboutMany, type Desk, type Task } from './task.js';

const MINUTE_MS = 60_000;

/** Applications that can be rejected: one of Acme, and one of Globex. */
async function openUndecided() {
  const platform = await openPlatform();
  await platform.fixture.operator.applications.move({ id: platform.alan });
  return platform;
}

async function statusesOf({ fixture, alan, linus }: Platform) {
  const found = await Promise.all([alan, linus].map((id) => fixture.operator.applications.find({ id })));
  return found.map((application) => application?.status);
}

async function countAccess({ fixture }: Platform, { keyId }: Platform['acme' | 'globex']): Promise<number> {
  return (await fixture.operator.access.list({ keyId, onlyActive: true })).items.length;
}

/** Waits until the page of the operation says that it is done. */
async function seeDone({ platform, page }: Desk, progress: string): Promise<void> {
  await page.getByText(/The worker changes \d+ rows?, one part after the other/).waitFor();
  await platform.fixture.pass(MINUTE_MS);
  await page.reload();
  await page.getByText(progress).first().waitFor();
}

export const many: readonly Task[] = [
  ...aboutMany(openUndecided, {
    'rejects all open applications of a company with a reason': async (desk) => {
      const { platform, page } = desk;
      await desk.openAt('Applications');
      await desk.choose('Company', { label: 'Initech (production)' });
      await desk.press('Filter');
      await desk.press('Reject all found except chosen…');
      await page.getByLabel('Reason (optional)').fill('The store closes');
      await desk.press('Reject 2 applications');
      desk.answered();
      await seeDone(desk, '2 of 2 (100 %)');
      expect(await statusesOf(platform)).toEqual(['rejected', 'rejected']);
      const { items } = await platform.fixture.operator.audit.list({ act: 'applications.decide' });
      expect(items[0]?.actor.reason).toBe('The store closes');
    },

    'rejects one ticked application, and leaves the other': async (desk) => {
      const { platform, page } = desk;
      await desk.openAt('Applications');
      await page.getByRole('checkbox', { name: `Choose A… T…, ${platform.alan}` }).check();
      await desk.press('Reject chosen…');
      await desk.press('Reject 1 application');
      desk.answered();
      await seeDone(desk, '1 of 1 (100 %)');
      expect(await statusesOf(platform)).toEqual(['rejected', 'in_progress']);
    },
  }),

  ...aboutMany(openPlatform, {
    'takes a company away from all partners': async (desk) => {
      const { platform } = desk;
      const { acme, globex } = platform;
      await desk.openAt('Jobs and companies', 'Initech');
      await desk.press('Revoke access of all partner keys…');
      await desk.press('Revoke 3 accesses of partner keys');
      desk.answered();
      await seeDone(desk, '3 of 3 (100 %)');
      expect([await countAccess(platform, acme), await countAccess(platform, globex)]).toEqual([0, 0]);
    },

    'gives a company back to one of the partners that lost it': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme, globex } = platform;
      for (const { keyId } of [acme, globex])
        await fixture.operator.access.revoke({ keyId, companyId: acme.companyId });
      await desk.openAt('Partners and keys');
      await page
        .getByRole('row', { name: /Globex/ })
        .getByRole('link', { name: 'production' })
        .click();
      await desk.pressInRow(/Initech/, 'Grant again…');
      await desk.press('Grant access');
      expect([await countAccess(platform, acme), await countAccess(platform, globex)]).toEqual([0, 1]);
    },

    'pauses two chosen endpoints before a change of the network': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme, globex } = platform;
      await desk.openAt('Endpoints');
      for (const name of ['Acme ATS', 'Globex'])
        await page.getByRole('checkbox', { name: `Choose ${name} (production)` }).check();
      await desk.press('Pause chosen…');
      await desk.press('Pause 2 endpoints');
      desk.answered();
      await seeDone(desk, '2 of 2 (100 %)');
      for (const { keyId } of [acme, globex])
        expect((await fixture.operator.endpoints.find({ keyId }))?.state.kind).toBe('paused');
    },

    'replaces all secrets of a partner that lost them, with one sheet': async (desk) => {
      const { platform, page } = desk;
      await desk.openAt('Partners and keys', 'Acme ATS');
      await desk.press('Rotate all secrets…');
      await desk.press('Rotate');
      await page.getByRole('heading', { name: 'Hand-over sheet of Acme ATS' }).waitFor();
      expect(await page.getByText(/pek_live_[\w-]{20,}/).count()).toBe(1);
      desk.answered();
      await page.reload();
      expect(await page.content()).not.toMatch(/pek_live_[\w-]{20,}/);
      const { items } = await platform.fixture.operator.audit.list({ act: 'bulk.rotateSecrets' });
      expect(items).toHaveLength(1);
    },

    'finds out which company brought the most applications of a partner': async (desk) => {
      const { platform, page } = desk;
      await platform.fixture.pass(6 * MINUTE_MS);
      await desk.openAt('Totals');
      await desk.choose('Rows', { label: 'Companies' });
      await desk.choose('Partner', { label: 'Acme ATS' });
      await desk.press('Filter');
      await page.getByRole('row', { name: /Acme ATS.*Initech/ }).waitFor();
    },
  }),
];
