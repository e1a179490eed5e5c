import type { ChildProcess } from 'node:child_process';

/** Stops a process, or kills it if it does not stop. Returns its exit code; null if it was killed. */
export async function stopChild(child: ChildProcess, timeoutMs: number): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const code = await ended;
  clearTimeout(killer);
  return code;
}
