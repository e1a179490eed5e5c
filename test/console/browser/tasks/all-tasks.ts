import { applications } from './applications.js';
import { candidates } from './candidates.js';
import { deliveries } from './deliveries.js';
import { jobSync } from './job-sync.js';
import { onboarding } from './onboarding.js';
import { partners } from './partners.js';
import { queues } from './queues.js';
import { system } from './system.js';
import type { Task } from './task.js';

/** The tasks of a support desk. */
export const TASKS: readonly Task[] = [
  ...applications,
  ...candidates,
  ...deliveries,
  ...jobSync,
  ...onboarding,
  ...partners,
  ...queues,
  ...system,
];

/** CI does these tasks on both storages. */
const ESSENTIAL: readonly string[] = [
  'finds the candidate who never heard back by name, finds out why, and sends it again',
  'erases a candidate who asks for it',
  'redelivers all dead letters of one partner after a count',
];

/** The tasks of CI, with scripting, by storage. `npm run test:console` does all tasks, with and without scripting. */
const IN_CI: Readonly<Record<string, readonly string[]>> = {
  postgres: ESSENTIAL,
  sqlite: [
    ...ESSENTIAL,
    'hires a candidate after a look at what will happen',
    'finds out why the last request of a partner was refused',
    'resumes a paused endpoint and retries now',
    'learns from the overview that a sync is held, finds out why, and closes the missing jobs once',
    'brings a partner in, and prints its hand-over sheet',
    'finds the applications that nobody has changed, in an address that can be saved',
    'rotates a leaked key, gives the new secret to the partner, and revokes the old one',
  ],
};

/** Returns the tasks that CI does on a storage. */
export function tasksInCi(storage: string): readonly Task[] {
  return (IN_CI[storage] ?? []).map((title) => {
    const task = TASKS.find((one) => one.title === title);
    if (task === undefined) throw new Error(`Correct IN_CI in all-tasks.ts: no task “${title}” exists.`);
    return task;
  });
}
