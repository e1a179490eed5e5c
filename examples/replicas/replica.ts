import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DemoFailure, within } from '../server/demo/demo-failure.js';
import { stopChild } from '../server/demo/stop-child.js';
import { type ReplicaSettings, toEnvironment } from './open-replica.js';

/** A process of the deployment that can be stopped and restarted. */
export interface Replica {
  readonly name: string;
  /** The address of the process; null for a worker or a stopped process. */
  address(): string | null;
  pid(): number | undefined;
  /** Starts the process. Resolves when it is ready. */
  start(): Promise<void>;
  /** Stops the process, or kills it if it does not stop. Returns its exit code; null if it was killed. */
  stop(): Promise<number | null>;
  /** All output lines of the process, including those of its earlier runs. */
  lines(): readonly string[];
}

/** Options of a replica. */
export interface ReplicaParts {
  readonly name: string;
  readonly program: 'api.ts' | 'worker.ts';
  readonly settings: ReplicaSettings;
  /** Called with each line of output. */
  readonly onLine: (name: string, line: string) => void;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_MS = 30_000;
const STOP_MS = 15_000;

/** Builds a stopped replica. */
export function createReplica({ name, program, settings, onLine }: ReplicaParts): Replica {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const lines: string[] = [];
  let child: ChildProcess | null = null;
  let address: string | null = null;

  function spawnChild(): ChildProcess {
    // The child needs this process's Node options to run TypeScript.
    const started = spawn(process.execPath, [...process.execArgv, file], {
      cwd: ROOT,
      env: { ...process.env, ...toEnvironment(settings) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const input of [started.stdout, started.stderr]) {
      if (input === null) continue;
      createInterface({ input }).on('line', (line) => {
        lines.push(line);
        onLine(name, line);
      });
    }
    return started;
  }

  return {
    name,
    address: () => address,
    pid: () => child?.pid,
    lines: () => lines,
    start: async () => {
      child = spawnChild();
      address = await within(START_MS, `Starting ${name}`, untilReady(child, lines));
    },
    stop: async () => {
      address = null;
      const code = child === null ? 0 : await stopChild(child, STOP_MS);
      child = null;
      return code;
    },
  };
}

function untilReady(child: ChildProcess, lines: readonly string[]): Promise<string | null> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { readonly isReady?: unknown; readonly address?: unknown }) => {
      if (message.isReady === true) resolve(typeof message.address === 'string' ? message.address : null);
    });
    child.once('close', (code) =>
      reject(new DemoFailure(`The process ended with exit code ${code}: ${lines.join('\n')}`)),
    );
  });
}
