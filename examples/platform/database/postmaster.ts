import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the pid of the PostgreSQL of a data folder; null if it is not running. */
export function postmasterOf(dataFolder: string): number | null {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const [line] = readFileSync(file, 'utf8').split('\n');
  const pid = Number(line);
  return isRunning(pid) ? pid : null;
}

/** Whether a process is running. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
