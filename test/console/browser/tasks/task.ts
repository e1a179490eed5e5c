import type { BrowserContext, Page } from '../../../browser/chromium.js';
import type { Platform } from '../../platform.js';
import { type BrowserStage, openBrowserStage } from '../open-browser.js';

/** Where one task is done: a platform of its own, and a browser on the overview of its console. */
export interface Desk<P extends Platform = Platform> {
  readonly platform: P;
  readonly stage: BrowserStage;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Whether the pages run scripts. Without them, plain forms and links reach the same goal. */
  readonly isScripted: boolean;
}

/** A question of a support desk, which the console answers. */
export interface Task {
  readonly title: string;
  /** Does the task in a new tab. */
  perform(isScripted: boolean): Promise<void>;
}

/**
 * Declares tasks by their titles.
 * @param open - opens the platform of each task.
 */
export function declareTasks<P extends Platform>(
  open: () => Promise<P>,
  tasks: Readonly<Record<string, (desk: Desk<P>) => Promise<void>>>,
): readonly Task[] {
  return Object.entries(tasks).map(([title, run]) => ({
    title,
    perform: async (isScripted) => {
      const platform = await open();
      const stage = await openBrowserStage(platform);
      try {
        const context = await stage.browser.newContext({ javaScriptEnabled: isScripted });
        const page = await context.newPage();
        await page.goto(stage.url);
        await run({ platform, stage, context, page, isScripted });
      } finally {
        await stage.close();
      }
    },
  }));
}

/** Opens a screen from the navigation. */
export async function openScreen({ page }: Desk, name: string): Promise<void> {
  await page.getByLabel('Screens').getByRole('link', { name, exact: true }).click();
}

/** Searches the applications. */
export async function search(desk: Desk, text: string): Promise<void> {
  const { page } = desk;
  await openScreen(desk, 'Applications');
  await page.getByLabel('Name, e-mail, phone or any id').fill(text);
  await page.getByRole('button', { name: 'Search' }).click();
}

/** Clicks links and buttons one after the other. */
export async function clickAll({ page }: Desk, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const link = page.getByRole('link', { name, exact: true });
    await link
      .or(page.getByRole('button', { name, exact: true }))
      .first()
      .click();
  }
}
