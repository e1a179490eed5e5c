import { afterAll } from 'vitest';
import type { Browser } from '../../tools/browser/chromium.js';
import { startChromium } from '../../tools/browser/chromium.js';
import { MOUNTS, type Mount } from '../mounts.js';
import { openPlatform, type Platform, type Visitor, visit } from '../platform.js';

/** Pages on the loopback, and a browser. */
export interface ServedStage {
  readonly browser: Browser;
  /** The address of the first page. */
  readonly url: string;
  /** Also closes the platform. */
  close(): Promise<void>;
}

/** A platform, its console on the loopback, and a browser. */
export interface BrowserStage extends ServedStage {
  readonly platform: Platform;
  readonly visitor: Visitor;
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
  return { platform, visitor, ...(await serveForBrowser(platform, visitor.console, '/console')) };
}

/** Serves pages of a platform under a path, for a browser without contexts. */
export async function serveForBrowser(
  platform: Pick<Platform, 'close'>,
  mounted: Parameters<Mount>[0],
  path: string,
): Promise<ServedStage> {
  const mount = MOUNTS[MOUNT];
  if (mount === undefined) throw new Error(`CONSOLE_MOUNT is none of ${Object.keys(MOUNTS).join(', ')}.`);
  const served = await mount(mounted);
  const browser = await startBrowser();
  return {
    browser,
    url: `http://127.0.0.1:${served.port}${path}`,
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
      await served.close();
      await platform.close();
    },
  };
}
