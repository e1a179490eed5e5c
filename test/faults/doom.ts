import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';

/** The moments at which a worker may be killed. */
export type Moment =
  | 'before_post'
  | 'in_flight'
  | 'after_post'
  | 'before_settling'
  | 'before_commit'
  | 'after_commit'
  | 'after_scan'
  | 'after_store';

/** The orders of a worker process. */
export interface Doom {
  readonly location: DatabaseLocation;
  /** The log file. */
  readonly notes: string;
  /** The folder of résumés. */
  readonly folder: string;
  readonly moment: Moment | null;
  /** Which occurrence of the moment. */
  readonly nth: number;
  readonly signal: 'SIGKILL' | 'SIGSTOP';
  readonly leaseMs: number;
  /** How far both clocks are ahead, so that earlier leases have expired and retries are due. */
  readonly clockAheadMs: number;
}

/** A recorded row. */
export interface Saved {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
}

/** A log entry of a worker. */
export interface Note {
  readonly pid: number;
  readonly at: number;
  readonly did: 'met' | 'posting' | 'posted' | 'committing' | 'committed' | 'scanned' | 'stored';
  /** The event, or the application of the résumé. */
  readonly id?: string;
  /** The number of the transaction in its process. */
  readonly transaction?: number;
  /** Logged while the rows are locked, so that entries are in order. */
  readonly saved?: readonly Saved[];
  /** By key. */
  readonly watermarks?: Readonly<Record<string, number>>;
}

export interface Doomed {
  readonly child: ChildProcess;
  work(doom: Doom): void;
  /** Resolves with the signal that ended it. */
  readonly ended: Promise<NodeJS.Signals>;
}

/** Starts a process ahead of its orders, because starting is slow. */
export function forkWorker(): Doomed {
  const child = fork(fileURLToPath(new URL('./doomed-worker.ts', import.meta.url)), {
    execArgv: [...RUN_BUNDLED],
  });
  const ready = new Promise<void>((resolve) => child.once('message', () => resolve()));
  const ended = new Promise<NodeJS.Signals>((resolve, reject) => {
    child.once('exit', (code, signal) => {
      if (signal === null) reject(new Error(`The worker ended on its own with code ${code}.`));
      else resolve(signal);
    });
  });
  // A test that failed already does not await it.
  ended.catch(() => {});
  return { child, ended, work: (doom) => void ready.then(() => child.send(doom)) };
}

/** Returns all entries in order. */
export function readNotes(file: string): readonly Note[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Note);
}
