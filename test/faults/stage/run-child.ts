import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';

/**
 * Runs a program of `test/faults`, which gets its orders when it has sent its first message. Resolves with the signal or
 * the code that ended it.
 */
export function runChild(program: string, orders: object): Promise<NodeJS.Signals | number | null> {
  const child = fork(fileURLToPath(new URL(`../${program}`, import.meta.url)), {
    execArgv: [...RUN_BUNDLED],
  });
  child.once('message', () => void child.send(orders));
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
}
