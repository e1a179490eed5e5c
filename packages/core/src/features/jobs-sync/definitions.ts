import { isAbortSignal } from '../../domain/any-realm.js';
import { MOST_COUNTRIES } from '../../domain/countries.js';
import type { CompanyId, OperationId } from '../../domain/ids.js';
import type { RefusedRow } from '../../domain/source-row.js';
import { NO_SYNC_COUNTS, type SyncCounts } from '../../domain/sync-counts.js';
import { OperatorError } from '../../errors.js';
import type { JobSource } from '../../groups/jobs/source-job.js';
import { onHost } from '../../operator/command/claims.js';
import type { CommandContext, Definitions } from '../../operator/command/definition.js';
import { dryRun, flag, id, integer, oneOf, optional, page, value } from '../../operator/command/fields.js';
import { filter, record } from '../../operator/command/input.js';
import { operationNotFound } from '../../operator/find-or-throw.js';
import { withCompanyNames, withJobTitles } from '../../operator/names.js';
import { definePageCursors, type Page, readPage } from '../../operator/page-cursor.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import type {
  HeldJobCommands,
  HeldJobFilter,
  JobSyncCommands,
  JobSyncer,
  JobSyncOptions,
  JobSyncOutcome,
  JobSyncResult,
  LastJobSync,
  ListedHeldJob,
} from './commands.js';
import { countOutOfStep } from './count-out-of-step.js';
import { type HeldJob, MISSING_JOBS } from './rules.js';
import type { SyncRules } from './sync-missing.js';
import { readInStep } from './sync-run.js';
import { beginSync, REFUSED_KEPT } from './sync-state.js';

export const MISSING_SHARE_AT_MOST = 0.2;

function isSource(given: unknown): boolean {
  return (
    typeof given === 'object' && given !== null && (Symbol.iterator in given || Symbol.asyncIterator in given)
  );
}

export const jobSyncerDefinitions: Definitions<JobSyncer> = {
  run: {
    summary: 'Brings jobs in step with a source, such as your own table',
    input: record({
      source: value<JobSource>(isSource, 'must be an array, or an object that iterates over jobs'),
      missing: optional(
        oneOf(MISSING_JOBS),
        'What happens to jobs that the source no longer has, default close',
      ),
      missingShareAtMost: optional(
        value<number>(
          (given) => typeof given === 'number' && given >= 0 && given <= 1,
          'must be a part from 0 to 1, such as 0.2',
        ),
        'The largest part of the open jobs that may go in one run, default 0.2',
      ),
      adopt: optional(flag, 'Also takes over the other open jobs of the companies that it reads'),
      dryRun,
      signal: optional(value<AbortSignal>(isAbortSignal, 'must be an AbortSignal')),
    }),
    hasSource: true,
    pastTense: 'brought the jobs in step with their source',
    run: (context, { source, ...options }) => syncJobs(context, source, options),
  },
};

export const jobSyncDefinitions: Definitions<JobSyncCommands> = {
  last: {
    summary: 'Shows the last sync of jobs, its counts and its refused rows',
    input: filter({
      refusedLimit: optional(
        integer(0, REFUSED_KEPT),
        `How many refused rows to show: 0 to ${REFUSED_KEPT}, default ${REFUSED_KEPT}`,
      ),
    }),
    right: 'jobs:read',
    claims: onHost,
    run: ({ read }, asked) => findLastSync(read, asked.refusedLimit),
  },
  request: {
    summary: 'Asks the worker to sync its jobs now',
    input: filter({
      applyHeld: optional(id('operation'), 'The held sync: the next one may close as many missing jobs'),
    }),
    pastTense: 'asked for a job sync',
    right: 'jobs:sync',
    claims: onHost,
    run: ({ commit }, { applyHeld: held }) =>
      commit((scope) => (held === undefined ? requestSync(scope) : applyHeld(scope, held))),
  },
};

export const heldJobDefinitions: Definitions<HeldJobCommands> = {
  listHeld: {
    summary: 'Lists the jobs that the last held sync has kept open, by company',
    input: filter({ companyId: optional(id('company'), 'Only jobs of this company'), ...page }),
    right: 'jobs:read',
    claims: onHost,
    run: ({ read }, asked) => listHeld(read, asked),
  },
};

const HELD_CURSORS = definePageCursors<HeldJob>('held jobs', { companyId: 'id', jobId: 'id' });

/** Jobs are stored when the run is held, and stay until a later run has read its source to the end. */
async function listHeld(
  read: Repositories,
  { companyId, ...asked }: HeldJobFilter,
): Promise<Page<ListedHeldJob>> {
  const of: CompanyId | null = companyId ?? null;
  const { items, nextCursor } = await readPage(HELD_CURSORS, [of], asked, (start) =>
    read.jobSyncs.listHeld(of, start),
  );
  const outlines = await read.jobs.findOutlines(items.map(({ jobId }) => jobId));
  const held = items.map((item, index) => ({ ...item, state: outlines[index]?.state ?? null }));
  return { items: await withJobTitles(read, await withCompanyNames(read, held)), nextCursor };
}

async function syncJobs(
  context: CommandContext,
  source: JobSource,
  options: JobSyncOptions,
): Promise<JobSyncResult> {
  const { missing = 'close', missingShareAtMost = MISSING_SHARE_AT_MOST, adopt = false, signal } = options;
  const rules: SyncRules = { missing, missingShareAtMost, adopt };
  if (options.dryRun === true) {
    const { counts, heldReason, refused } = await countOutOfStep(context, source, rules, signal);
    return {
      ...(await resultOf(context, counts, refused)),
      operationId: null,
      state: heldReason === null ? 'done' : 'held',
      heldReason,
    };
  }
  const run = await context.commit((scope) => beginSync(scope, missing));
  const { operation, refused } = await readInStep(context, run, source, rules, { signal });
  if (operation === null) throw operationNotFound(run.id);
  const { state, sync, lastError } = operation;
  return {
    ...(await resultOf(context, sync ?? NO_SYNC_COUNTS, refused)),
    operationId: run.id,
    state,
    heldReason: state === 'held' ? lastError : null,
  };
}

async function resultOf(
  { read }: CommandContext,
  { refused: refusedCount, ...counts }: SyncCounts,
  refused: readonly RefusedRow[],
): Promise<Omit<JobSyncResult, 'operationId' | 'state' | 'heldReason'>> {
  const unknownCountries = await read.jobs.listUnknownCountries(MOST_COUNTRIES);
  return { ...counts, refusedCount, refused, unknownCountries };
}

async function findLastSync(
  { jobSyncs, operations }: Repositories,
  refusedLimit = REFUSED_KEPT,
): Promise<LastJobSync> {
  const { operationId, ...state } = await jobSyncs.find();
  if (operationId === null) return { ...state, operation: null, refused: [] };
  const operation = await operations.find(operationId);
  const inputs = refusedLimit === 0 ? [] : await operations.listInputs(operationId, refusedLimit);
  const refused = inputs.flatMap((input) => JSON.parse(input) as readonly RefusedRow[]);
  return { ...state, operation, refused: refused.slice(0, refusedLimit) };
}

async function requestSync(scope: Scope): Promise<JobSyncOutcome> {
  const state = await scope.tx.jobSyncs.findForUpdate();
  if (state.dueAt === null) {
    throw new OperatorError(
      'SYNC_NOT_FOUND',
      'No worker has a source of jobs. Pass `jobs: { read, everyMs }` to createPartnerHiring, or call jobs.syncs.run.',
    );
  }
  const now = await scope.now();
  if (state.dueAt <= now) return { changed: false };
  await scope.tx.jobSyncs.save({ ...state, dueAt: now });
  if (state.operationId !== null)
    recordAct(scope, { objects: [{ kind: 'operation', id: state.operationId }] });
  scope.workIsDue();
  return { changed: true };
}

async function applyHeld(scope: Scope, id: OperationId): Promise<JobSyncOutcome> {
  const state = await scope.tx.jobSyncs.findForUpdate();
  const operation = await scope.tx.operations.find(id);
  if (operation === null) throw operationNotFound(id);
  if (state.operationId !== id || operation.state !== 'held') {
    throw new OperatorError(
      'ILLEGAL_MOVE',
      `Operation ${id} is not the last run of a sync, or was not held. jobs.syncs.last shows the last run.`,
    );
  }
  const applyUpTo = operation.sync?.missing ?? 0;
  if (state.applyUpTo === applyUpTo) return { changed: false };
  const dueAt = state.dueAt === null ? null : Math.min(state.dueAt, await scope.now());
  await scope.tx.jobSyncs.save({ ...state, applyUpTo, dueAt });
  recordAct(scope, { objects: [{ kind: 'operation', id }], after: { applyUpTo } });
  scope.workIsDue();
  return { changed: true };
}
