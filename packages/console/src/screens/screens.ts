import type { Screen } from '../http/screen.js';
import { applicationScreen } from './application/application-screen.js';
import { applicationsScreen } from './applications/applications-screen.js';
import { auditScreen } from './audit/audit-screen.js';
import { overviewScreen } from './overview/overview-screen.js';

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  overviewScreen,
  applicationsScreen,
  applicationScreen,
  auditScreen,
];
