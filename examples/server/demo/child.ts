import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DemoFailure, within } from './demo-failure.js';
import { stopChild } from './stop-child.js';

/** Environment variables for a program of the example. */
export type ChildEnvironment = Readonly<Record<string, string>>;

/** A program of the example that is running. */
export interface RunningChild {
  /** Everything it has printed so far. */
  output(): string;
  /** Resolves once its output contains the text. @throws DemoFailure if it ends before. */
  waitFor(text: string, ms: number): Promise<void>;
  /** Asks it to stop, and sees to it that it is gone. Its exit code; null if it had to be killed. */
  stop(): Promise<number | null>;
}

/** Where the programs find `tsconfig.json`, which says where the packages' sources are. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const STOP_MS = 10_000;

/**
 * Starts a program beside this folder, by default with the options of Node that this process was started with: TypeScript
 * needs one. It stops with this process, however that ends.
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
    child.once('close', (code) => reject(new DemoFailure(`It ended with ${code}: ${printed()}`)));
    look();
  });
}
