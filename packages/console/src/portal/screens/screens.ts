import { portalGoLiveScreen } from '../../features/readiness/portal-screen.js';
import { portalRequestsScreen } from '../../features/request-log/portal-screen.js';
import type { PortalScreen } from '../portal-call.js';
import { portalApplicationsScreen } from './applications-screen.js';
import { portalDeliveriesScreen } from './deliveries-screen.js';
import { portalDocsScreen } from './docs-screen.js';
import { portalEndpointsScreen } from './endpoints-screen.js';
import { portalHomeScreen } from './home-screen.js';
import { portalKeysScreen } from './keys-screen.js';

/** Every screen of the portal, in the order of the navigation. */
export const PORTAL_SCREENS: readonly PortalScreen[] = [
  portalHomeScreen,
  portalRequestsScreen,
  portalApplicationsScreen,
  portalEndpointsScreen,
  portalDeliveriesScreen,
  portalKeysScreen,
  portalGoLiveScreen,
  portalDocsScreen,
];
