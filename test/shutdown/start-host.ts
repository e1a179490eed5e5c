import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, onTestFinished } from 'vitest';
import type { StopTimes } from '../../packages/core/src/process/stop-on-signals.js';
import type { WorkerState } from '../../packages/core/src/worker/worker.js';

/** The settings of the program `host.ts`. */
export interface Settings {
  readonly file: string;
  readonly mount: 'node' | 'express' | 'fastify' | 'nest';
  readonly worker: boolean;
  readonly times: Partial<StopTimes>;
  /** Whether the host's own `close` never ends. */
  readonly hangs: boolean;
}

/** A step of the program. `slow` is a request that waits for the order `finish`. */
export type Report =
  | { readonly step: 'ready'; readonly port: number }
  | { readonly step: 'draining' | 'slow' }
  | { readonly step: 'close'; readonly isClosed: boolean; readonly worker: WorkerState };

/** A running host. */
export interface Host {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly file: string;
  readonly reports: readonly Report[];
  /** Waits until the host has reported the step. */
  reached(step: Report['step']): Promise<void>;
  printed(): string;
  /** Its exit code and signal. */
  readonly ended: Promise<unknown[]>;
}

/** The database, if the test has made it, is `settings.file`. */
export async function startHost(settings: Partial<Settings> = {}): Promise<Host> {
  const file = settings.file ?? join(temporaryFolder(), 'host.sqlite');
  const given: Settings = { mount: 'node', worker: true, times: {}, hangs: false, ...settings, file };
  const child = spawn(
    process.execPath,
    [...RUN_BUNDLED, fileURLToPath(new URL('host.ts', import.meta.url))],
    { env: { ...process.env, SETTINGS: JSON.stringify(given) }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const reports: Report[] = [];
  child.on('message', (report: Report) => reports.push(report));
  const ended = once(child, 'exit');
  const reached = async (step: Report['step']) => {
    const isReached = () => reports.some((report) => report.step === step) || child.exitCode !== null;
    await expect.poll(isReached, { interval: 10 }).toBe(true);
    expect(
      reports.map((report) => report.step),
      printed,
    ).toContain(step);
  };
  await reached('ready');
  const [ready] = reports;
  const port = ready?.step === 'ready' ? ready.port : 0;
  return { child, origin: `http://127.0.0.1:${port}`, file, reports, reached, printed: () => printed, ended };
}
