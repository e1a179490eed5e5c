/** Every page of the portal in light and dark, on a phone and a desk, in two brands: no serious finding of axe, and nothing is cut off. */
import { createPartner } from '@partner-hiring/test-support/partner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLooks } from '../../console/browser/check-looks.js';
import type { ServedStage } from '../../console/browser/open-browser.js';
import { openWatchedPage, submitForm } from '../../console/browser/watched-page.js';
import { openPlatform, type Platform } from '../../console/platform.js';
import { seedFailing } from '../../console/seed.js';
import { startProgram } from '../acts-of-partner.js';
import { exampleFormsOf, examplePagesOf, findObjectsOf } from '../portal-pages.js';
import { openPortalStage, type PortalLook } from './open-portal-stage.js';

const BRANDS: Readonly<Record<string, PortalLook>> = {
  Fielder: { name: 'Fielder Jobs', accent: '#0a7d54' },
  Nordlicht: { name: 'Nordlicht Personalvermittlung', accent: '#b3261e' },
};

/** Acme has both keys, refused requests and an endpoint that fails. */
async function seed(platform: Platform): Promise<void> {
  const { fixture, acme } = platform;
  await createPartner(fixture, { partnerId: acme.partnerId, sandbox: true });
  const program = await startProgram(platform);
  await program.submit({ sourceApplicationId: 'ats-4711' });
  await program.submit({ consentToContact: false });
  await seedFailing(platform);
}

describe.each(Object.entries(BRANDS))('in the brand %s', (name, look) => {
  let platform: Platform;
  let stage: ServedStage;
  beforeAll(async () => {
    platform = await openPlatform();
    await seed(platform);
    stage = await openPortalStage(platform, platform.acme.partnerId, look);
  });
  afterAll(() => stage.close());

  it('all pages', async () => {
    const { page, problems } = await openWatchedPage(stage);
    const own = await findObjectsOf(platform, platform.acme.partnerId);
    for (const path of examplePagesOf(own)) {
      await page.goto(`${stage.url}${path === '/' ? '' : path}`);
      await checkLooks(page, `${name}-${path}`);
    }
    expect(problems).toEqual([]);
  }, 600_000);

  it('what forms answer', async () => {
    const { page, problems } = await openWatchedPage(stage);
    const own = await findObjectsOf(platform, platform.acme.partnerId);
    const secrets = [[`/keys/${own.keyIds[0]}/rotate`, { confirmed: 'yes' }]] as const;
    for (const [path, fields] of [...exampleFormsOf(own), ...secrets]) {
      await page.goto(`${stage.url}/docs`);
      await Promise.all([page.waitForNavigation(), page.evaluate(submitForm(`${stage.url}${path}`, fields))]);
      expect(await page.title(), path).toContain(look.name);
      await checkLooks(page, `${name}-post-${path}`);
    }
    expect(problems).toEqual([]);
  }, 600_000);
});

/** A partner without any key sees what to do. */
it('says what to do without a key', async () => {
  const platform = await openPlatform();
  const { id } = await platform.fixture.operator.partners.create({ name: 'New ATS' });
  const stage = await openPortalStage(platform, id);
  const { page } = await openWatchedPage(stage);
  for (const path of ['', '/keys', '/endpoints', '/deliveries', '/requests', '/applications', '/go-live']) {
    await page.goto(`${stage.url}${path}`);
    await checkLooks(page, `empty-${path}`);
  }
  await stage.close();
}, 300_000);
