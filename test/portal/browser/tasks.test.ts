/** Tasks of partners in a real browser, with and without scripting. With `CONSOLE_TASKS=ci`, only those of CI, with scripting. */
import { describe, it } from 'vitest';
import { PORTAL_TASKS, portalTasksInCi } from './tasks/all-tasks.js';

const isCi = process.env.CONSOLE_TASKS === 'ci';
const tasks = isCi ? portalTasksInCi() : PORTAL_TASKS;

describe.each(isCi ? [true] : [true, false])('with scripting: %s', (isScripted) => {
  for (const { title, perform } of tasks) it(title, () => perform(isScripted));
});
