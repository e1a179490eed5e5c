import type { PortalScreen } from '../portal-call.js';
import { portalHomeScreen } from './home-screen.js';
import { portalKeysScreen } from './keys-screen.js';

/** Every screen of the portal, in the order of the navigation. */
export const PORTAL_SCREENS: readonly PortalScreen[] = [portalHomeScreen, portalKeysScreen];
