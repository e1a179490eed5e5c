/**
 * Tasks of a support desk in a real browser, with and without scripting. With `CONSOLE_TASKS=ci`, only those of CI, with
 * scripting.
 */
import { describe, it } from 'vitest';
import { TASKS, tasksInCi } from './tasks/all-tasks.js';

const isCi = process.env.CONSOLE_TASKS === 'ci';
const tasks = isCi ? tasksInCi(process.env.STORAGE ?? '') : TASKS;

describe.each(isCi ? [true] : [true, false])('with scripting: %s', (isScripted) => {
  for (const { title, perform } of tasks) it(title, () => perform(isScripted));
});
