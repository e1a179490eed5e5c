import { chooseTasks, type Task } from '../../../console/browser/tasks/task.js';
import { applications } from './applications.js';
import { endpoints } from './endpoints.js';
import { events } from './events.js';
import { general } from './general.js';
import { goLive } from './go-live.js';
import { keys } from './keys.js';
import { requests } from './requests.js';

/** What developers of partners came with. */
export const PORTAL_TASKS: readonly Task[] = [
  ...requests,
  ...applications,
  ...endpoints,
  ...events,
  ...keys,
  ...goLive,
  ...general,
];

/** The tasks of CI, with scripting, on SQLite. `npm run test:portal` does all. */
const IN_CI: readonly string[] = [
  'finds out why its last submission failed, and what to do',
  'finds an application by its own id',
  'finds out that its endpoint is paused and why, and resumes it',
  'tests its endpoint',
  'gets everything again that it missed since Tuesday',
  'rotates its API key, and sees the new one once',
  'finds out which companies’ jobs it sees',
  'sees what remains before it goes live',
];

/** Returns the tasks that CI does. */
export function portalTasksInCi(): readonly Task[] {
  return chooseTasks(PORTAL_TASKS, IN_CI);
}
