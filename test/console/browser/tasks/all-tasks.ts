import { applications } from './applications.js';
import { deliveries } from './deliveries.js';
import { endpoints } from './endpoints.js';
import { jobs } from './jobs.js';
import { keys } from './keys.js';
import { many } from './many.js';
import { partners } from './partners.js';
import { people } from './people.js';
import { queues } from './queues.js';
import { system } from './system.js';
import { chooseTasks, type Task } from './task.js';

/** The tasks of a support desk. */
export const TASKS: readonly Task[] = [
  ...applications,
  ...people,
  ...deliveries,
  ...endpoints,
  ...partners,
  ...keys,
  ...jobs,
  ...many,
  ...queues,
  ...system,
];

/** CI does these tasks on both storages. */
const ESSENTIAL: readonly string[] = [
  'finds out why a candidate never heard, and resends the news',
  'erases everything about a person after a count',
  'resends all dead letters of one partner after a count',
];

/** The tasks of CI, with scripting, by storage. `npm run test:console` does all tasks, with and without scripting. */
const IN_CI: Readonly<Record<string, readonly string[]>> = {
  postgres: ESSENTIAL,
  sqlite: [
    ...ESSENTIAL,
    'hires a candidate after a look at what will happen',
    'finds out why the last request of a partner was refused',
    'resumes a paused endpoint and retries now',
    'finds out how a partner does beside all others, and why it is refused',
    'brings a partner in, and prints its hand-over sheet',
    'finds out why a job sync is held, and closes the missing jobs once',
    'finds the applications that nobody has changed, in an address that can be saved',
  ],
};

/** Returns the tasks that CI does on a storage. */
export function tasksInCi(storage: string): readonly Task[] {
  return chooseTasks(TASKS, IN_CI[storage] ?? []);
}
