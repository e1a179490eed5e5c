/** Writes the pictures of `docs/console.md`: `npm run pictures`. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BrowserStage, openBrowserStage } from '../browser/open-browser.js';
import type { Platform } from '../platform.js';
import { openSystemPlatform, seedFailing, seedWorkers } from '../seed.js';

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));

interface Picture {
  readonly name: string;
  readonly path: (platform: Platform) => string;
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

const DESK = { width: 1_280, colorScheme: 'light' } as const;

const PICTURES: readonly Picture[] = [
  { name: 'overview', path: () => '', ...DESK },
  { name: 'application', path: ({ grace }) => `/applications/${grace}`, ...DESK },
  { name: 'endpoint', path: ({ hooli }) => `/endpoints/${hooli.keyId}`, ...DESK },
  { name: 'deliveries', path: ({ acme }) => `/deliveries?key=${acme.keyId}`, ...DESK, colorScheme: 'dark' },
  {
    name: 'application-on-a-phone',
    path: ({ grace }) => `/applications/${grace}`,
    width: 390,
    colorScheme: 'dark',
  },
];

let stage: BrowserStage;
beforeAll(async () => {
  const platform = await openSystemPlatform();
  await seedFailing(platform);
  await seedWorkers(platform);
  stage = await openBrowserStage(platform);
});
afterAll(() => stage.close());

it.each(PICTURES)('$name', async ({ name, path, width, colorScheme }) => {
  const context = await stage.browser.newContext({ viewport: { width, height: 844 }, colorScheme });
  const page = await context.newPage();
  // So the pictures say how long ago something was.
  await page.clock.setFixedTime(stage.platform.fixture.clock.now());
  const response = await page.goto(`${stage.url}${path(stage.platform)}`);
  expect(response?.status()).toBe(200);
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  await context.close();
});
