import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';

/** The moments of an attempt, or of a résumé, at which a worker may be struck. */
export type Moment =
  | 'before_post'
  | 'in_flight'
  | 'after_post'
  | 'before_settling'
  | 'before_commit'
  | 'after_commit'
  | 'after_scan'
  | 'after_store';

/** What a worker in a process of its own is told to do, and when to end. */
export interface Doom {
  readonly location: DatabaseLocation;
  /** Where it notes what it does. */
  readonly notes: string;
  /** Where it stores résumés. */
  readonly folder: string;
  readonly moment: Moment | null;
  /** The how manieth such moment it is. */
  readonly nth: number;
  readonly signal: 'SIGKILL' | 'SIGSTOP';
  readonly leaseMs: number;
  /** How far its clock is ahead, and that of its storage: the leases of those before it are over then, and what failed is due. */
  readonly clockAheadMs: number;
}

/** A row as a settlement wrote it. */
export interface Saved {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
}

/** What a worker noted. */
export interface Note {
  readonly pid: number;
  readonly at: number;
  readonly did: 'met' | 'posting' | 'posted' | 'committing' | 'committed' | 'scanned' | 'stored';
  /** The event that was posted, or the application whose résumé was scanned or stored. */
  readonly id?: string;
  /** The how manieth transaction of its process it was. */
  readonly transaction?: number;
  /** What is committed. It is noted while its rows are locked, so that others' notes of them come in their order. */
  readonly saved?: readonly Saved[];
  /** By key. */
  readonly watermarks?: Readonly<Record<string, number>>;
}

/** A process that waits to be told. */
export interface Doomed {
  readonly child: ChildProcess;
  work(doom: Doom): void;
  /** Resolves to the signal that ended it. */
  readonly ended: Promise<NodeJS.Signals>;
}

/** Starts a process; it works once it is told. Many may be started ahead: that is what takes time. */
export function forkWorker(): Doomed {
  const child = fork(fileURLToPath(new URL('./doomed-worker.ts', import.meta.url)), {
    execArgv: [...RUN_BUNDLED],
  });
  const ready = new Promise<void>((resolve) => child.once('message', () => resolve()));
  const ended = new Promise<NodeJS.Signals>((resolve, reject) => {
    child.once('exit', (code, signal) => {
      if (signal === null) reject(new Error(`The worker ended by itself, with ${code}.`));
      else resolve(signal);
    });
  });
  // Whoever waits for it hears of it; a test that has failed already does not.
  ended.catch(() => {});
  return { child, ended, work: (doom) => void ready.then(() => child.send(doom)) };
}

/** What all have noted so far, in the order in which it happened. */
export function readNotes(file: string): readonly Note[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Note);
}
