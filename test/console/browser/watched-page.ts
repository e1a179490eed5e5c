import type { BrowserContext, Page } from '../../tools/browser/chromium.js';
import type { ServedStage } from './open-browser.js';

/** A page, and what went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  /** What the page loaded from elsewhere, and what its policy blocked. */
  readonly problems: readonly string[];
}

/** Opens a page without motion, so that colours change at once. */
export async function openWatchedPage(stage: ServedStage): Promise<WatchedPage> {
  const context = await stage.browser.newContext({ reducedMotion: 'reduce' });
  const problems = watch(stage, context);
  return { page: await context.newPage(), problems };
}

function watch(stage: ServedStage, context: BrowserContext): readonly string[] {
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

/** Returns the script that sends a form as a page of the site would. */
export function submitForm(action: string, fields: Readonly<Record<string, string>>): string {
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
