import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';

/** How a program ended. */
export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs `examples/<program>` to its end. */
export function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  execArgv?: readonly string[],
): Promise<Ended> {
  return runSource(`examples/${program}`, args, env, execArgv);
}

/** Runs a source of the project to its end, its path from the root. */
export function runSource(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  execArgv: readonly string[] = RUN_BUNDLED,
): Promise<Ended> {
  const commandLine = [...execArgv, path, ...args];
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...process.env, ...env } };
    const child = execFile(process.execPath, commandLine, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
