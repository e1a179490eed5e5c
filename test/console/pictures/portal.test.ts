/** Writes the pictures of `docs/portal.md`: `npm run pictures`. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProgram } from '../../portal/acts-of-partner.js';
import { openPortalStage } from '../../portal/browser/open-portal-stage.js';
import type { ServedStage } from '../browser/open-browser.js';
import { openPlatform, type Platform } from '../platform.js';
import { seedFailing } from '../seed.js';

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));

const PICTURES = [
  { name: 'portal-home', path: '', width: 1_280, colorScheme: 'light' },
  { name: 'portal-requests', path: '/requests', width: 1_280, colorScheme: 'light' },
  { name: 'portal-events-on-a-phone', path: '/deliveries', width: 390, colorScheme: 'dark' },
] as const;

let platform: Platform;
let stage: ServedStage;
beforeAll(async () => {
  platform = await openPlatform();
  const program = await startProgram(platform);
  await program.submit({ sourceApplicationId: 'ats-4711' });
  await program.submit({ consentToContact: false });
  await seedFailing(platform);
  const look = { name: 'Fielder Jobs', accent: '#0a7d54' };
  stage = await openPortalStage(platform, platform.acme.partnerId, look);
});
afterAll(() => stage.close());

it.each(PICTURES)('$name', async ({ name, path, width, colorScheme }) => {
  const context = await stage.browser.newContext({ viewport: { width, height: 844 }, colorScheme });
  const page = await context.newPage();
  // So the pictures say how long ago something was.
  await page.clock.setFixedTime(platform.fixture.clock.now());
  expect((await page.goto(`${stage.url}${path}`))?.status()).toBe(200);
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  await context.close();
});
