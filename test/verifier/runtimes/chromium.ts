import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian's package puts it. */
const DEFAULT_PATH = '/usr/bin/chromium';

/** A browser of a server: no screen, no sandbox of its own, and no calls home. */
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
 * Starts a headless Chromium, of `CHROMIUM_PATH` or where Debian puts it.
 *
 * @throws Error that says how to install it, if it is not there.
 */
export async function startChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH || DEFAULT_PATH;
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no Chromium at ${executablePath}. Install it (apt-get install chromium), ` +
        'or say where it is: CHROMIUM_PATH=/path/to/chromium npm run test:browser',
    );
  }
  return chromium.launch({ executablePath, headless: true, args: OPTIONS });
}
