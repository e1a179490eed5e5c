import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The path of Debian's package. */
const DEFAULT_PATH = '/usr/bin/chromium';

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
  const executablePath = process.env.CHROMIUM_PATH || DEFAULT_PATH;
  if (!existsSync(executablePath)) {
    throw new Error(
      `Chromium is not at ${executablePath}. Install it (apt-get install chromium), ` +
        'or set its path: CHROMIUM_PATH=/path/to/chromium npm run test:browser',
    );
  }
  return chromium.launch({ executablePath, headless: true, args: OPTIONS });
}
