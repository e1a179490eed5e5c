import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

export type { Browser, BrowserContext, Page } from 'playwright-core';

/** Where Debian's packages are. The shell is the same browser without windows, and opens a page in a quarter of the time. */
const DEFAULT_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** For a server: no screen, no sandbox, no telemetry. */
const OPTIONS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts headless Chromium from `CHROMIUM_PATH` or Debian's path.
 *
 * @throws Error with install instructions if it is missing.
 */
export async function startChromium(): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH;
  const paths = given ? [given] : DEFAULT_PATHS;
  const executablePath = paths.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      `Chromium is not at ${paths.join(' or ')}. Install it (apt-get install chromium-headless-shell), ` +
        'or set its path: CHROMIUM_PATH=/path/to/chromium npm run test:browser',
    );
  }
  return chromium.launch({ executablePath, headless: true, args: OPTIONS });
}
