import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { startChromium } from '../../verifier/runtimes/chromium.js';
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

/**
 * Serves a console of a seeded platform, and starts Chromium.
 * @param given - the platform, which `close` closes. By default, a new one.
 */
export async function openBrowserStage(given?: Platform): Promise<BrowserStage> {
  const platform = given ?? (await openPlatform());
  const visitor = visit(platform.fixture);
  const server = createServer((request, response) => visitor.console.node(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const browser = await startChromium();
  return {
    ...{ platform, visitor, browser },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/console`,
    close: async () => {
      await browser.close();
      server.close();
      server.closeAllConnections();
      await platform.close();
    },
  };
}
