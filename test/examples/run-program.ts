import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a program ended. */
export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs `examples/<program>` to its end, as `npm run` would. */
export function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return runSource(`examples/${program}`, args, env);
}

/** Runs a source of the project to its end, its path from the root. */
export function runSource(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const commandLine = ['--import', 'tsx', path, ...args];
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...process.env, ...env } };
    const child = execFile(process.execPath, commandLine, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
