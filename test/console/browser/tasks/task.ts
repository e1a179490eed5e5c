import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Page } from '../../../tools/browser/chromium.js';
import type { Platform } from '../../platform.js';
import { openBrowserStage, type ServedStage } from '../open-browser.js';

/** The most clicks from the overview to the answer of a question about one object, or about many. */
const MOST_CLICKS = { one: 5, many: 6 } as const;

/**
 * Where one task is done: a platform of its own, and a page of its console.
 *
 * Clicks are counted from the overview to the answer: a link, a button and Enter by the page that they load, a choice from
 * a list, and details and menus that are opened. Typing does not count, and neither does ticking a row, because the
 * question says how many.
 */
export interface Desk<P extends Platform = Platform> {
  readonly platform: P;
  readonly page: Page;
  /** The address of the console. */
  readonly url: string;
  /** Whether the pages run scripts. Without them, plain forms and links reach the same goal. */
  readonly isScripted: boolean;
  /** Opens the overview. Clicks count from here. */
  open(): Promise<void>;
  /** Opens the overview, a screen from its navigation, and then each link. */
  openAt(screen: string, ...links: readonly string[]): Promise<void>;
  /** Opens the overview, searches everything, and follows a link. */
  openFound(text: string, link: string): Promise<void>;
  /** Ends the count of clicks: the rest of the task checks the outcome. */
  answered(): void;
  /** Opens a screen from the navigation. */
  openScreen(name: string): Promise<void>;
  /** Searches everything from the overview. With scripting, the key `/` moves to the search box. */
  search(text: string): Promise<void>;
  /** Follows the first link of this name. */
  follow(name: string): Promise<void>;
  /** Presses a button of this name, which loads a page. */
  press(name: string): Promise<void>;
  /** Chooses from a list by its label. */
  choose(label: string, option: string | { readonly label: string }): Promise<void>;
  /** Opens details by their title. */
  unfold(title: string): Promise<void>;
  /** Opens the acts on a row that has this text, and presses one. */
  pressInRow(row: RegExp, name: string): Promise<void>;
  /** Presses a button, and returns the text of the file that it downloads. */
  download(button: string): Promise<string>;
}

/** A question of a support desk, which the console answers. */
export interface Task {
  readonly title: string;
  /** Does the task in a browser. */
  perform(isScripted: boolean): Promise<void>;
}

/** Tasks by their titles. */
export type Tasks<P extends Platform> = Readonly<Record<string, (desk: Desk<P>) => Promise<void>>>;

/**
 * Declares questions about one object.
 * @param open - opens the platform of each task.
 */
export function aboutOne<P extends Platform>(open: () => Promise<P>, tasks: Tasks<P>): readonly Task[] {
  return declareTasks(open, openBrowserStage, tasks, MOST_CLICKS.one);
}

/**
 * Declares questions about many objects.
 * @param open - opens the platform of each task.
 */
export function aboutMany<P extends Platform>(open: () => Promise<P>, tasks: Tasks<P>): readonly Task[] {
  return declareTasks(open, openBrowserStage, tasks, MOST_CLICKS.many);
}

/**
 * Declares tasks on pages of any kind.
 * @param open - opens the platform of each task.
 * @param serve - serves the pages.
 */
export function declareTasks<P extends Platform>(
  open: () => Promise<P>,
  serve: (platform: P) => Promise<ServedStage>,
  tasks: Tasks<P>,
  mostClicks: number,
): readonly Task[] {
  return Object.entries(tasks).map(([title, run]) => ({
    title,
    perform: async (isScripted) => {
      const platform = await open();
      const stage = await serve(platform);
      try {
        const context = await stage.browser.newContext({ javaScriptEnabled: isScripted });
        const clicks: string[] = [];
        const desk = openDesk({ platform, url: stage.url, isScripted }, await context.newPage(), clicks);
        await run(desk);
        expect(clicks.length, 'The task opens the overview and clicks.').toBeGreaterThan(0);
        expect(clicks.length, clicks.join('\n')).toBeLessThanOrEqual(mostClicks);
      } finally {
        await stage.close();
      }
    },
  }));
}

/** @param clicks - gets a line for each click. */
function openDesk<P extends Platform>(
  given: Pick<Desk<P>, 'platform' | 'url' | 'isScripted'>,
  page: Page,
  clicks: string[],
): Desk<P> {
  let isCounting = false;
  const count = (click: string) => {
    if (isCounting) clicks.push(click);
  };
  page.on('request', (request) => {
    const isFirst = request.isNavigationRequest() && request.redirectedFrom() === null;
    if (isFirst) count(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
  const open = async () => {
    await page.goto(given.url);
    isCounting = true;
  };
  const openScreen = (name: string) =>
    page.getByLabel('Screens').getByRole('link', { name, exact: true }).click();
  const search = async (text: string) => {
    const box = page.getByRole('searchbox', { name: 'Search everything' });
    if (given.isScripted) {
      await page.keyboard.press('/');
      expect(await box.and(page.locator(':focus')).count()).toBe(1);
    }
    await box.fill(text);
    await box.press('Enter');
    // Playwright does not wait for a page after a key.
    await page.waitForURL(/\/console\/.+/);
  };
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
  return {
    ...given,
    page,
    open,
    openAt: async (screen, ...links) => {
      await open();
      await openScreen(screen);
      for (const link of links) await follow(link);
    },
    openFound: async (text, link) => {
      await open();
      await search(text);
      await follow(link);
    },
    answered: () => {
      isCounting = false;
    },
    openScreen,
    search,
    follow,
    press: (name) => button(name).click(),
    choose: async (label, option) => {
      await page.getByLabel(label, { exact: true }).selectOption(option);
      count(`choose ${label}`);
    },
    unfold: async (title) => {
      await page.getByText(title, { exact: true }).click();
      count(`unfold ${title}`);
    },
    pressInRow: async (row, name) => {
      await page.getByRole('row', { name: row }).getByRole('button', { name: 'Actions' }).click();
      count(`open the acts on ${row}`);
      await button(name).click();
    },
    download: async (name) => {
      const [file] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
      return readFile(await file.path(), 'utf8');
    },
  };
}

/** Returns the tasks of these titles. */
export function chooseTasks(tasks: readonly Task[], titles: readonly string[]): readonly Task[] {
  return titles.map((title) => {
    const task = tasks.find((one) => one.title === title);
    if (task === undefined) throw new Error(`Correct IN_CI in all-tasks.ts: no task “${title}” exists.`);
    return task;
  });
}
