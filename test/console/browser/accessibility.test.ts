/** Every page in light and dark, on a phone and a desk: no serious finding of axe, and nothing is cut off. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSyncPlatform } from '../job-sync-seed.js';
import { openWithStorage, seedFailing, seedParked, seedWorkers } from '../seed.js';
import { checkLooks } from './check-looks.js';
import { exampleForms, examplePages } from './example-pages.js';
import { type BrowserStage, openBrowserStage } from './open-browser.js';
import { openWatchedPage, submitForm } from './watched-page.js';

let stage: BrowserStage;
beforeAll(async () => {
  const platform = await openWithStorage(openSyncPlatform);
  await seedWorkers(platform);
  await seedParked(platform);
  await seedFailing(platform);
  await platform.holdSync();
  stage = await openBrowserStage(platform);
});
afterAll(() => stage.close());

describe('in light and dark, at 390 and 1,280 pixels', () => {
  it('all pages', async () => {
    const { page, problems } = await openWatchedPage(stage);
    for (const path of await examplePages(stage.platform)) {
      await page.goto(`${stage.url}${path === '/' ? '' : path}`);
      await checkLooks(page, path);
    }
    expect(problems).toEqual([]);
  }, 600_000);

  it('what forms answer', async () => {
    const { page, problems } = await openWatchedPage(stage);
    for (const [path, fields] of await exampleForms(stage.platform)) {
      await page.goto(`${stage.url}/applications`);
      await Promise.all([page.waitForNavigation(), page.evaluate(submitForm(`${stage.url}${path}`, fields))]);
      expect(await page.title(), path).toContain('Partner console');
      await checkLooks(page, `${path} ${JSON.stringify(fields)}`);
    }
    expect(problems).toEqual([]);
  }, 600_000);
});
