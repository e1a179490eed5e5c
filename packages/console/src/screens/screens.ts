import { CONSOLE_FEATURES } from '../features/features.js';
import type { Screen } from '../http/screen.js';
import { applicationScreen } from './application/application-screen.js';
import { applicationsScreen } from './applications/applications-screen.js';
import { companiesScreen } from './companies/companies-screen.js';
import { deliveriesScreen } from './deliveries/deliveries-screen.js';
import { endpointsScreen } from './endpoints/endpoints-screen.js';
import { jobsScreen } from './jobs/jobs-screen.js';
import { keysScreen } from './keys/keys-screen.js';
import { overviewScreen } from './overview/overview-screen.js';
import { partnersScreen } from './partners/partners-screen.js';
import { queuesScreen } from './queues/queues-screen.js';

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  overviewScreen,
  queuesScreen,
  applicationsScreen,
  applicationScreen,
  deliveriesScreen,
  endpointsScreen,
  partnersScreen,
  keysScreen,
  jobsScreen,
  companiesScreen,
  ...CONSOLE_FEATURES.flatMap(({ screens = [] }) => screens),
];
