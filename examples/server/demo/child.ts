import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DemoFailure, within } from './demo-failure.js';
import { stopChild } from './stop-child.js';

/** Environment variables for a program of the example. */
export type ChildEnvironment = Readonly<Record<string, string>>;

/** A running program of the example. */
export interface RunningChild {
  /** Its output so far. */
  output(): string;
  /** Resolves when the program's output contains the text. @throws DemoFailure if the program exits first. */
  waitFor(text: string, ms: number): Promise<void>;
  /** Stops the program, or kills it if it does not stop. Returns its exit code; null if it was killed. */
  stop(): Promise<number | null>;
}

/** The folder of `tsconfig.json`, which maps the packages to their sources. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const STOP_MS = 10_000;

/**
 * Starts a program of the example, by default with the Node options of this process. The program stops when
 * this process ends.
 */
export function startChild(
  program: string,
  env: ChildEnvironment,
  execArgv: readonly string[] = process.execArgv,
): RunningChild {
  const file = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const child = spawn(process.execPath, [...execArgv, file], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  return {
    output: () => printed,
    waitFor: (text, ms) =>
      within(
        ms,
        `Waiting for ${program} to print "${text}"`,
        outputContains(child, () => printed, text),
      ),
    stop: () => stopChild(child, STOP_MS),
  };
}

function outputContains(child: ChildProcess, printed: () => string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (printed().includes(text)) resolve();
    };
    child.stdout?.on('data', look);
    child.once('close', (code) =>
      reject(new DemoFailure(`The program ended with exit code ${code}: ${printed()}`)),
    );
    look();
  });
}
