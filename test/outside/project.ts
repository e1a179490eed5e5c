import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { untilFrozen } from '@partner-hiring/test-support/programs/frozen';
import { installOutside, OUTSIDE_ENV } from './run-outside.js';

/** A project outside the repository, which has installed the packed packages. */
export type Project = Awaited<ReturnType<typeof createProject>>;

/**
 * Copies sources to a temporary folder, and installs the packed packages there. Of the same file in two source folders,
 * the later wins. `texts` are further files, by name.
 */
export async function createProject(
  sources: readonly string[],
  texts: Readonly<Record<string, string>> = {},
) {
  const name = basename(sources.at(-1) ?? '');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `partner-hiring-${name}-`)));
  const isSource = (path: string) => !/node_modules|\.next|\/dist|\/generated/.test(path);
  for (const source of sources) {
    const target = statSync(source).isFile() ? join(folder, basename(source)) : folder;
    cpSync(source, target, { recursive: true, filter: isSource });
  }
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text);
  await installOutside(folder);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A program that runs. */
export type Running = ReturnType<typeof run>;

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The user, if this process is root. */
  readonly uid?: number | undefined;
}

const WAIT_MS = 180_000;

/** Starts a program. */
export function run([command = '', ...args]: readonly string[], options: RunOptions) {
  const { cwd, env, uid } = options;
  // A group of processes, so that all children of npm end with it.
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...OUTSIDE_ENV, ...env },
    detached: true,
    ...(uid === undefined ? {} : { uid }),
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const fail = (what: string) => new Error(`${command} ${args.join(' ')} ${what}:\n${printed}`);
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, name);
    }
  };

  return {
    output: () => printed,
    /** Resolves with the match when the output has one. @throws Error with the output after the time, or at the end. */
    waitFor: async (pattern: RegExp, ms = WAIT_MS) => {
      const until = performance.now() + ms;
      for (;;) {
        const match = pattern.exec(printed);
        if (match !== null) return match;
        if (child.exitCode !== null || performance.now() > until) {
          throw fail(`did not print ${String(pattern)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    /** Resolves with the output when the program has ended. @throws Error with the output if it failed. */
    finish: async () => {
      const code = await ended;
      if (code !== 0) throw fail(`ended with ${code}`);
      return printed;
    },
    /** Writes a line to its standard input. */
    write: (line: string) => void child.stdin.write(`${line}\n`),
    /** Waits until SIGSTOP has stopped the process, and continues it. */
    continueFrozen: async () => {
      await untilFrozen(child.pid ?? 0);
      signal('SIGCONT');
    },
    stop: async () => {
      signal('SIGTERM');
      // A frozen process gets the other signal when it continues.
      signal('SIGCONT');
      await ended;
    },
  };
}
