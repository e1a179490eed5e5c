import { CONSOLE_FEATURES } from '../../features/features.js';
import type { PortalScreen } from '../portal-call.js';
import { portalApplicationsScreen } from './applications-screen.js';
import { portalDeliveriesScreen } from './deliveries-screen.js';
import { portalDocsScreen } from './docs-screen.js';
import { portalEndpointsScreen } from './endpoints-screen.js';
import { portalHomeScreen } from './home-screen.js';
import { portalKeysScreen } from './keys-screen.js';

const ADDED = CONSOLE_FEATURES.flatMap(({ portalScreens = [] }) => portalScreens);

/** Every screen of the portal, in the order of the navigation. */
export const PORTAL_SCREENS: readonly PortalScreen[] = [
  portalHomeScreen,
  portalApplicationsScreen,
  portalEndpointsScreen,
  portalDeliveriesScreen,
  portalKeysScreen,
  portalDocsScreen,
].flatMap((base) => [base, ...ADDED.filter(({ after }) => after === base.name).map(({ screen }) => screen)]);
