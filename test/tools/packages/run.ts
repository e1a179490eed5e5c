import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a command and returns its output. @throws Error with the output if it fails. */
export function run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  return runWith({}, cwd, command, ...args);
}

/** Runs a command with more environment variables. @throws Error with the output if it fails. */
export async function runWith(
  env: Readonly<Record<string, string>>,
  cwd: string,
  command: string,
  ...args: readonly string[]
): Promise<string> {
  const ended = promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env } });
  ended.child.stdin?.end();
  return ended.then(
    ({ stdout }) => stdout,
    ({ message, stdout, stderr }) => {
      throw new Error([message, stdout, stderr].join('\n'));
    },
  );
}
