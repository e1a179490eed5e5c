/** Every page in light and dark, on a phone and a desk: no serious finding of axe, and nothing is cut off. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserContext, Page } from '../../browser/chromium.js';
import { openSyncPlatform } from '../job-sync-seed.js';
import { openWithStorage, seedFailing, seedParked, seedWorkers } from '../seed.js';
import { checkLooks } from './check-looks.js';
import { exampleForms, examplePages } from './example-pages.js';
import { type BrowserStage, openBrowserStage } from './open-browser.js';

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

/** Fails if a page loads something from elsewhere, or if its policy blocks something of its own. */
async function watch(context: BrowserContext): Promise<readonly string[]> {
  const problems: string[] = [];
  context.on('console', (message) => {
    const isStatus = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isStatus) problems.push(message.text());
  });
  context.on('response', (response) => {
    const isPage = response.request().resourceType() === 'document';
    if (!isPage && response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  context.on('request', (request) => {
    if (!request.url().startsWith(new URL(stage.url).origin) && !request.url().startsWith('data:'))
      problems.push(request.url());
  });
  return problems;
}

/** Without motion, colours change at once. */
async function openPage(): Promise<{ readonly page: Page; readonly problems: readonly string[] }> {
  const context = await stage.browser.newContext({ reducedMotion: 'reduce' });
  const problems = await watch(context);
  return { page: await context.newPage(), problems };
}

describe('in light and dark, at 390 and 1,280 pixels', () => {
  it('all pages', async () => {
    const { page, problems } = await openPage();
    for (const path of await examplePages(stage.platform)) {
      await page.goto(`${stage.url}${path === '/' ? '' : path}`);
      await checkLooks(page, path);
    }
    expect(problems).toEqual([]);
  }, 600_000);

  it('what forms answer', async () => {
    const { page, problems } = await openPage();
    for (const [path, fields] of await exampleForms(stage.platform)) {
      await page.goto(`${stage.url}/applications`);
      await Promise.all([page.waitForNavigation(), page.evaluate(submitForm(`${stage.url}${path}`, fields))]);
      expect(await page.title(), path).toContain('Partner console');
      await checkLooks(page, `${path} ${JSON.stringify(fields)}`);
    }
    expect(problems).toEqual([]);
  }, 600_000);
});

/** Sends a form as a page of the console would. */
function submitForm(action: string, fields: Readonly<Record<string, string>>): string {
  return `(() => {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = ${JSON.stringify(action)};
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      const input = document.createElement('input');
      input.name = name;
      input.value = value;
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  })()`;
}
