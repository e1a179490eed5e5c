import { auditScreen } from '../features/audit/screen.js';
import { jobSyncScreen } from '../features/jobs-sync/screen.js';
import { operationsScreen } from '../features/operations/screen.js';
import { peopleScreen } from '../features/privacy/screen.js';
import { requestsScreen } from '../features/request-log/screen.js';
import { searchScreen } from '../features/search/screen.js';
import { systemScreen } from '../features/system/screen.js';
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
  jobSyncScreen,
  companiesScreen,
  requestsScreen,
  operationsScreen,
  systemScreen,
  auditScreen,
  searchScreen,
  peopleScreen,
];
