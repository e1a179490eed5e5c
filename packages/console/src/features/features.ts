import { auditScreen } from './audit/screen.js';
import type { ConsoleFeature } from './feature.js';
import { jobSyncScreen } from './jobs-sync/screen.js';
import { operationsScreen } from './operations/screen.js';
import { peopleScreen } from './privacy/screen.js';
import { portalGoLiveScreen } from './readiness/portal-screen.js';
import { portalRequestsScreen } from './request-log/portal-screen.js';
import { requestsScreen } from './request-log/screen.js';
import { searchScreen } from './search/screen.js';
import { systemScreen } from './system/screen.js';

/** All features, in the order of the navigation. */
export const CONSOLE_FEATURES: readonly ConsoleFeature[] = [
  { name: 'jobs-sync', screens: [jobSyncScreen] },
  {
    name: 'request-log',
    screens: [requestsScreen],
    portalScreens: [{ after: 'home', screen: portalRequestsScreen }],
  },
  { name: 'readiness', portalScreens: [{ after: 'keys', screen: portalGoLiveScreen }] },
  { name: 'operations', screens: [operationsScreen] },
  { name: 'system', screens: [systemScreen] },
  { name: 'audit', screens: [auditScreen] },
  { name: 'search', screens: [searchScreen] },
  { name: 'timelines' },
  { name: 'privacy', screens: [peopleScreen] },
  { name: 'inbox' },
  { name: 'portal' },
];
