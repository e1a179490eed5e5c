import type { Screen } from '../http/screen.js';
import { applicationScreen } from './application/application-screen.js';
import { applicationsScreen } from './applications/applications-screen.js';
import { auditScreen } from './audit/audit-screen.js';
import { companiesScreen } from './companies/companies-screen.js';
import { deliveriesScreen } from './deliveries/deliveries-screen.js';
import { endpointsScreen } from './endpoints/endpoints-screen.js';
import { jobSyncScreen } from './job-sync/job-sync-screen.js';
import { jobsScreen } from './jobs/jobs-screen.js';
import { keysScreen } from './keys/keys-screen.js';
import { operationsScreen } from './operations/operations-screen.js';
import { overviewScreen } from './overview/overview-screen.js';
import { partnersScreen } from './partners/partners-screen.js';
import { peopleScreen } from './people/people-screen.js';
import { queuesScreen } from './queues/queues-screen.js';
import { requestsScreen } from './requests/requests-screen.js';
import { searchScreen } from './search/search-screen.js';
import { systemScreen } from './system/system-screen.js';

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
