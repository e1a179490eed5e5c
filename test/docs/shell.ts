import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from './fences.js';

/** A bash for the commands of a page. It keeps variables from one fence to the next. */
export type Shell = ReturnType<typeof createShell>;

const COMMANDS_MS = 60_000;
const NODE = `"${process.execPath}"`;

/** Replacements for commands that would use the registry. They run our sources. */
const STAND_INS: Readonly<Record<string, string>> = {
  npm: `exec ${NODE} ${ROOT}test/docs/stand-ins/npm.mjs "$@"`,
  npx: `
case "$1" in
  partner-hiring) program=cli/src/cli.ts ;;
  partner-hiring-listen) program=client/src/listen/cli.ts ;;
  @partner-hiring/certify) program=certify/src/cli.ts; cd "${ROOT}" ;;
  *) echo "No page calls npx $1." >&2; exit 1 ;;
esac
shift
exec ${NODE} --import "${ROOT}test/support/programs/register.mjs" "${ROOT}packages/$program" "$@"`,
};

/** Opens a shell in a folder. */
export function createShell(folder: string, env: Readonly<Record<string, string>>) {
  const bin = join(folder, '.bin');
  const kept = join(folder, '.variables');
  mkdirSync(bin, { recursive: true });
  writeFileSync(kept, '');
  for (const [name, script] of Object.entries(STAND_INS)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const options = {
    cwd: folder,
    env: { ...process.env, ...env, PATH: [bin, process.env.PATH].join(delimiter) },
  };
  const whole = (commands: string) => `set -aeuo pipefail\n. "${kept}"\n${commands}\nexport -p > "${kept}"`;

  return {
    /** Runs commands and returns their output. @throws Error with the output if one fails. */
    run: (commands: string) =>
      new Promise<string>((resolve, reject) => {
        const args = ['-c', whole(commands)];
        execFile('bash', args, { ...options, timeout: COMMANDS_MS }, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else
            reject(new Error(`${commands}\nended with ${error.code ?? error.signal}:\n${stdout}${stderr}`));
        });
      }),
    /** Starts commands that keep running until the test ends. Resolves when their output contains `until`. */
    start: (commands: string, until: string) => {
      // Detached as a process group, so that all child processes end with it.
      const child = spawn('bash', ['-c', whole(commands)], { ...options, detached: true });
      const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
      onTestFinished(async () => {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
        await gone;
      });
      let printed = '';
      return new Promise<() => string>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', (text: string) => {
            printed += text;
            if (printed.includes(until)) resolve(() => printed);
          });
        }
        void gone.then(() => reject(new Error(`${commands}\nended:\n${printed}`)));
      });
    },
  };
}
