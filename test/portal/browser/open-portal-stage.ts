import type { PartnerId } from '@partner-hiring/core';
import { type ServedStage, serveForBrowser } from '../../console/browser/open-browser.js';
import type { Platform } from '../../console/platform.js';
import { actorOf, openPortal } from '../portal.js';

/** The host's name and colour. */
export interface PortalLook {
  readonly name: string;
  readonly accent?: string;
}

/** Serves the portal of one partner of a platform, who is signed in. */
export function openPortalStage(
  platform: Platform,
  partnerId: PartnerId,
  brand: PortalLook = { name: 'Fielder Jobs' },
): Promise<ServedStage> {
  const { portal } = openPortal(platform.fixture, actorOf(partnerId), {
    brand,
    api: 'https://jobs.example.com/api/v1/external',
    docs: 'https://jobs.example.com/partner-docs',
    support: { email: 'partners@jobs.example.com' },
  });
  return serveForBrowser(platform, portal, '/portal');
}
