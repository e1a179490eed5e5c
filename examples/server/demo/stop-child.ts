import type { ChildProcess } from 'node:child_process';

/** Asks a process to stop, and sees to it that it is gone. Its exit code; null if it had to be killed. */
export async function stopChild(child: ChildProcess, patienceMs: number): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const code = await ended;
  clearTimeout(killer);
  return code;
}
