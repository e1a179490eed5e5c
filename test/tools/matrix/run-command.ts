import { spawn } from 'node:child_process';

/** Longer than all tests on a slow machine. */
const COMMAND_MS = 30 * 60_000;

/**
 * Runs a command, and shows or returns its output.
 *
 * @throws Error if it fails.
 */
export async function runCommand(
  cwd: string,
  env: NodeJS.ProcessEnv,
  command: string,
  args: readonly string[],
  output: 'show' | 'read' = 'show',
): Promise<string> {
  const line = [command, ...args].join(' ');
  if (output === 'show') console.log(`\n── ${line}`);
  const child = spawn(command, args, {
    cwd,
    env,
    timeout: COMMAND_MS,
    stdio: ['ignore', output === 'show' ? 'inherit' : 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const how = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(String(code ?? signal)));
  });
  if (how !== '0') throw new Error(`${line} ended with ${how}`);
  return printed.trim();
}
