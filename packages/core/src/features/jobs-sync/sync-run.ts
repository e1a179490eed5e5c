import { isError } from '../../domain/any-realm.js';
import type { Operation } from '../../domain/operation.js';
import type { RefusedRow } from '../../domain/source-row.js';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import { StorageUnavailable } from '../../errors.js';
import type { JobSource } from '../../groups/jobs/source-job.js';
import type { Runner, Scope } from '../../operator/scope.js';
import { createChunkSize } from './count-out-of-step.js';
import type { SyncRun } from './rules.js';
import { createSourceReader, type SourceReader } from './source-reader.js';
import { changeChunk, joinChunks, NO_ROWS, noReadRows, sortChunk, takeNames } from './sync-chunk.js';
import {
  changeOfHeld,
  findMissing,
  findReasonToHold,
  type MissingJob,
  moveMissing,
  productionOf,
  type SyncRules,
} from './sync-missing.js';
import {
  commitStep,
  endSync,
  LEASE_MS,
  REFUSED_KEPT,
  type SyncEnd,
  SyncEnded,
  type SyncStep,
} from './sync-state.js';

export interface EndedSync {
  /** Null if another process has ended the run. */
  readonly operation: Operation | null;
  readonly refused: readonly RefusedRow[];
}

/** A source that gives no row for this time, in milliseconds, counts as broken. */
export const SOURCE_WAIT_MS = 5 * MINUTE_MS;

const RENEW_EVERY_MS = LEASE_MS / 3;

/** If other transactions lock the rows of a step, it is tried this often, with this pause in milliseconds. */
const BUSY_TRIES = 5;
const BUSY_MS = SECOND_MS;

/**
 * Reads a source to its end, and changes the jobs that differ, chunk by chunk. After that, looks for missing jobs.
 * @param nextAfterMs - how long after the end of this run a worker begins the next one.
 * @throws the source's error, the reason of `signal`, or StorageUnavailable. The run has then ended as failed or stopped.
 */
export async function readInStep(
  runner: Runner,
  run: SyncRun,
  source: JobSource,
  rules: SyncRules,
  {
    signal,
    nextAfterMs,
  }: { readonly signal?: AbortSignal | undefined; readonly nextAfterMs?: number | undefined },
): Promise<EndedSync> {
  const { clock } = runner.settings.runtime;
  const known = noReadRows();
  const refused: RefusedRow[] = [];
  const watch = new AbortController();
  const nextSize = createChunkSize(runner.settings.storageClock);
  let reader: SourceReader | null = null;
  const cancelReader = (reason: unknown) => reader?.cancel(reason);
  const abort = () => cancelReader(signal?.reason);
  /** The result of the rows that no commit has saved yet. */
  let unsaved = NO_ROWS;
  let isClosing = false;

  async function step(work: (scope: Scope) => Promise<SyncStep>): Promise<SyncStep> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await commitStep(runner, run, work);
      } catch (error) {
        const isBusy = error instanceof StorageUnavailable && error.isBusy;
        if (!isBusy || tries === BUSY_TRIES) throw error;
        await clock.sleep(BUSY_MS, signal);
      }
    }
  }

  function note(rows: readonly RefusedRow[]): void {
    refused.push(...rows.slice(0, REFUSED_KEPT - refused.length));
  }

  /** Saves the changes of several chunks in one commit if each has few. */
  async function takeChunk(chunk: readonly unknown[]): Promise<void> {
    unsaved = joinChunks(unsaved, await sortChunk(runner.read, run, known, chunk));
    if (unsaved.rows.length + unsaved.refused.length >= chunk.length) await save();
  }

  async function save(): Promise<void> {
    const { rows, refused: refusedNow } = unsaved;
    if (rows.length === 0 && refusedNow.length === 0) return;
    const done = await step((scope) => changeChunk(scope, run, known, unsaved));
    unsaved = NO_ROWS;
    known.refused += done.refused.length;
    takeNames(known, rows);
    note(done.refused);
  }

  /** Renews the lease, and ends the read if the run was stopped or the source hangs. */
  async function watchOver(source: SourceReader): Promise<void> {
    let awaited: number | null = null;
    let waits = 0;
    while (!watch.signal.aborted) {
      await clock.sleep(RENEW_EVERY_MS, watch.signal);
      if (watch.signal.aborted) return;
      const row = source.awaitedRow();
      waits = row !== null && row === awaited ? waits + 1 : 0;
      awaited = row;
      if (waits * RENEW_EVERY_MS >= SOURCE_WAIT_MS) source.cancel(new Error(HANGS));
      try {
        await commitStep(runner, run, async () => NOTHING);
      } catch (error) {
        // Any other error is an outage: the next step fails too, or the lease ends.
        if (error instanceof SyncEnded) source.cancel(error);
      }
    }
  }

  async function readAll(): Promise<Operation> {
    reader = createSourceReader(source);
    if (signal?.aborted === true) reader.cancel(signal.reason);
    void watchOver(reader);
    for (;;) {
      const count = await nextSize();
      const chunk = await reader.take(count);
      await takeChunk(chunk);
      if (chunk.length < count) break;
    }
    await save();
    return applyMissing();
  }

  async function applyMissing(): Promise<Operation> {
    const adopted = rules.adopt ? await productionOf(runner, known) : null;
    const { jobs, open } = await findMissing(runner.read, run, known, adopted);
    const { highPay } = known;
    const found = { unchanged: unsaved.unchanged, missing: jobs.length, open, highPay };
    const end = async (state: SyncEnd['state'], lastError: string | null = null) => {
      await saveHeld(state === 'held' ? jobs : []);
      return endSync(runner, run, found, { state, lastError, nextAfterMs });
    };
    if (rules.missing === 'keep') return end('done');
    const reason = await findReasonToHold(runner, known, rules, jobs.length, open);
    if (reason !== null) return end('held', reason);
    for (let start = 0; start < jobs.length; ) {
      signal?.throwIfAborted();
      const part = jobs.slice(start, start + (await nextSize()));
      start += part.length;
      const { missing } = rules;
      isClosing = true;
      await step((scope) => moveMissing(scope, run, part, missing, adopted));
    }
    return end('done');
  }

  /** Stores which jobs the run keeps open, so that somebody can look at them before a run closes them. */
  async function saveHeld(jobs: readonly MissingJob[]): Promise<void> {
    const { added, removed } = await changeOfHeld(runner.read, jobs);
    for (let start = 0; start < Math.max(added.length, removed.length); ) {
      const end = start + (await nextSize());
      const part = { added: added.slice(start, end), removed: removed.slice(start, end) };
      start = end;
      await step(({ tx }) => tx.jobSyncs.changeHeld(part).then(() => NOTHING));
    }
  }

  signal?.addEventListener('abort', abort);
  try {
    return { operation: await readAll(), refused };
  } catch (error) {
    if (error instanceof SyncEnded) return { operation: await runner.read.operations.find(run.id), refused };
    const isStopped = signal?.aborted === true;
    const lastError = isStopped ? null : describeFailure(error, isClosing);
    const end: SyncEnd = {
      state: isStopped ? 'stopped' : 'failed',
      lastError,
      nextAfterMs: nextAfterMs !== undefined && isStopped ? 0 : nextAfterMs,
    };
    // If the database is down, the run ends with its lease.
    await endSync(runner, run, { unchanged: unsaved.unchanged }, end).catch(() => {});
    throw error;
  } finally {
    watch.abort();
    signal?.removeEventListener('abort', abort);
    // Without this, a source that was not read to its end would keep its resources.
    cancelReader(new Error('The sync has ended.'));
  }
}

const NOTHING: SyncStep = { counts: {}, refused: [], changed: [] };

const HANGS = `The source gave no row for ${SOURCE_WAIT_MS / MINUTE_MS} minutes.`;

const ERROR_LENGTH = 500;

/** The message of a database may contain values of a row, so only the names of errors are stored. */
function describeFailure(error: unknown, isClosing: boolean): string {
  if (isError(error) && error.message === HANGS) return HANGS;
  const name = isError(error) ? error.name : 'Error';
  const closed = isClosing ? 'The next run closes the other missing jobs.' : 'Nothing was closed.';
  return `${name}: the caller, or the log of the worker, has the details. ${closed}`.slice(0, ERROR_LENGTH);
}
