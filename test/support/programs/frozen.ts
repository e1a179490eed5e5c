import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 5;

/** Resolves when SIGSTOP has stopped the process, so that a SIGCONT that follows continues it. */
export async function untilFrozen(pid: number): Promise<void> {
  while (!isFrozen(pid)) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

/** Returns whether the process is stopped. @throws Error if it has ended. */
function isFrozen(pid: number): boolean {
  if (!existsSync('/proc'))
    return /T/.test(execFileSync('ps', ['-o', 'state=', '-p', `${pid}`], { encoding: 'utf8' }));
  // The state follows the name of the program, which is in parentheses.
  return /.*\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] === 'T';
}
