import type { Operation } from '../../domain/operation.js';
import type { MissingJobs } from '../../domain/sync-counts.js';
import { MINUTE_MS } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import type { JobSource, SourceJob } from '../../groups/jobs/source-job.js';
import type { Runner, Scope } from '../../operator/scope.js';
import type { JobSyncOptions } from './commands.js';
import { MISSING_SHARE_AT_MOST } from './definitions.js';
import type { SyncRun } from './rules.js';
import type { JobSyncRunner } from './service.js';
import { readInStep } from './sync-run.js';
import { beginSync, LEASE_MS } from './sync-state.js';

/** A source of jobs that the worker reads, one worker at a time. */
export interface JobsOption extends Pick<JobSyncOptions, 'missing' | 'missingShareAtMost' | 'adopt'> {
  /**
   * Returns all jobs of the platform that are open, in any order; if it fails, the run fails, and closes no missing
   * job.
   */
  read(): JobSource | Promise<JobSource>;
  /**
   * The pause between the end of a run and the start of the next one, in milliseconds, above 0; default: one minute.
   */
  readonly everyMs?: number | undefined;
}

/** Runs the syncs of a worker. All workers share the lease of a run and the time at which the next run is due. */
export function createJobSyncRunner(runner: Runner, jobs: JobsOption): JobSyncRunner {
  const { missing = 'close', missingShareAtMost = MISSING_SHARE_AT_MOST, adopt = false } = jobs;
  const { everyMs: nextAfterMs = MINUTE_MS } = jobs;

  return {
    async dueIn() {
      const { dueAt, operationId } = await runner.read.jobSyncs.find();
      const now = await runner.now();
      if (dueAt === null) {
        await register(runner);
        return 0;
      }
      if (dueAt > now || operationId === null) return Math.max(0, dueAt - now);
      const last = await runner.read.operations.find(operationId);
      // A run renews its lease with each step, so its lease ends this long after the last step.
      return last?.state === 'running' ? Math.max(0, last.updatedAt + LEASE_MS - now) : 0;
    },
    async run(signal): Promise<Operation | null> {
      const begin = (scope: Scope) => beginIfDue(scope, missing, nextAfterMs);
      const run = await runner.run('jobs.syncs.run', begin).catch(nullIfRunning);
      if (run === null) return null;
      const rules = { missing, missingShareAtMost, adopt };
      return (await readInStep(runner, run, sourceOf(jobs), rules, { signal, nextAfterMs })).operation;
    },
  };
}

/** Begins a run if it is still due. Another worker may have begun it since the caller checked. */
async function beginIfDue(scope: Scope, missing: MissingJobs, nextAfterMs: number): Promise<SyncRun | null> {
  const { dueAt } = await scope.tx.jobSyncs.findForUpdate();
  return dueAt !== null && dueAt > (await scope.now()) ? null : beginSync(scope, missing, nextAfterMs);
}

/** Treats a source that cannot be opened like one that fails while it is read. */
async function* sourceOf(jobs: JobsOption): AsyncGenerator<SourceJob | Error, void> {
  yield* await jobs.read();
}

function nullIfRunning(error: unknown): null {
  if (error instanceof OperatorError && error.code === 'SYNC_RUNNING') return null;
  throw error;
}

/** Records that a worker has a source. Without this record, `syncSoon` throws. */
function register({ run }: Runner): Promise<void> {
  return run(null, async ({ tx, now }) => {
    const state = await tx.jobSyncs.findForUpdate();
    if (state.dueAt === null) await tx.jobSyncs.save({ ...state, dueAt: await now() });
  });
}
