import { afterAll } from 'vitest';
import type { Browser } from '../../browser/chromium.js';
import { startChromium } from '../../browser/chromium.js';
import { MOUNTS } from '../mounts.js';
import { openPlatform, type Platform, type Visitor, visit } from '../platform.js';

/** A platform, its console on the loopback, and a browser. */
export interface BrowserStage {
  readonly platform: Platform;
  readonly visitor: Visitor;
  readonly browser: Browser;
  /** The address of the console. */
  readonly url: string;
  close(): Promise<void>;
}

/** All tests of a file share one browser, because Chromium takes seconds to start. */
let started: Promise<Browser> | null = null;
afterAll(async () => (await started)?.close());

/** `CONSOLE_MOUNT` names another way to mount the console, from `mounts.ts`. */
const MOUNT = process.env.CONSOLE_MOUNT ?? 'Node’s own server';

/** Starts the browser of this file, or returns it. */
export function startBrowser(): Promise<Browser> {
  started ??= startChromium();
  return started;
}

/**
 * Serves a console of a seeded platform, for a browser without contexts.
 * @param given - the platform, which `close` closes. By default, a new one.
 */
export async function openBrowserStage(given?: Platform): Promise<BrowserStage> {
  const platform = given ?? (await openPlatform());
  const visitor = visit(platform.fixture);
  const mount = MOUNTS[MOUNT];
  if (mount === undefined) throw new Error(`CONSOLE_MOUNT is none of ${Object.keys(MOUNTS).join(', ')}.`);
  const served = await mount(visitor.console);
  const browser = await startBrowser();
  return {
    platform,
    visitor,
    browser,
    url: `http://127.0.0.1:${served.port}/console`,
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
      await served.close();
      await platform.close();
    },
  };
}
