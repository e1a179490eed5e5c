import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { installOutside, OUTSIDE_ENV } from '../../examples/run-outside.js';

/** A running example that is a project of its own. */
export interface Outside {
  readonly folder: string;
  output(): string;
  /** Resolves with the match when the output has one. @throws Error with the output after the time, or at the end. */
  waitFor(pattern: RegExp, ms?: number): Promise<RegExpExecArray>;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

const START_MS = 180_000;

/**
 * Copies the sources of a project to a temporary folder, installs the packed packages there, and runs `npm start`.
 * Of the same file in two source folders, the later wins.
 */
export async function startOutside(
  sources: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outside> {
  const name = basename(sources.at(-1) ?? '');
  const folder = mkdtempSync(join(tmpdir(), `partner-hiring-${name}-`));
  const isSource = (path: string) => !/node_modules|\.next|\/dist|\/generated/.test(path);
  for (const source of sources) {
    const target = statSync(source).isFile() ? join(folder, basename(source)) : folder;
    cpSync(source, target, { recursive: true, filter: isSource });
  }
  await installOutside(folder);
  // A group of processes, so that all children of npm end with it.
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, ...OUTSIDE_ENV, ...env },
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));

  return {
    folder,
    output: () => printed,
    waitFor: async (pattern, ms = START_MS) => {
      const until = performance.now() + ms;
      for (;;) {
        const match = pattern.exec(printed);
        if (match !== null) return match;
        if (child.exitCode !== null || performance.now() > until) {
          throw new Error(`${name} did not print ${String(pattern)}:\n${printed}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    stop: async () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
