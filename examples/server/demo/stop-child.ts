import type { ChildProcess } from 'node:child_process';

/** Stops a process, and kills it if necessary. Returns its exit code; null if killed. */
export async function stopChild(child: ChildProcess, timeoutMs: number): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const code = await ended;
  clearTimeout(killer);
  return code;
}
