import type { CompanyId } from '../../domain/ids.js';
import type { Job, JobOutline } from '../../domain/job.js';
import type { MissingJobs } from '../../domain/sync-counts.js';
import { announceJobs } from '../../groups/jobs/announce.js';
import { readInTurns } from '../../operator/event-loop.js';
import { lockFoundJobs } from '../../operator/find-or-throw.js';
import type { Runner, Scope } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import type { HeldChange } from './repository.js';
import { type HeldJob, reasonToHold, type SyncRun } from './rules.js';
import type { ReadRows } from './sync-chunk.js';
import type { SyncStep } from './sync-state.js';

export interface SyncRules {
  readonly missing: MissingJobs;
  /** From 0 to 1. */
  readonly missingShareAtMost: number;
  readonly adopt: boolean;
}

export type MissingJob = Pick<Job, 'id' | 'companyId'>;

/** The jobs that a sync keeps in step and that its source no longer has. */
export interface MissingFound {
  readonly jobs: readonly MissingJob[];
  /** The number of open jobs that the sync keeps in step, including the missing ones. */
  readonly open: number;
}

const OUTLINES_PER_READ = 1_000;

/** @param adopted - companies whose open jobs count even if no sync has read them. Null if only synced jobs count. */
export async function findMissing(
  { jobs }: Pick<Repositories, 'jobs'>,
  run: SyncRun,
  { ids: read }: Pick<ReadRows, 'ids'>,
  adopted: ReadonlySet<CompanyId> | null,
): Promise<MissingFound> {
  const missing: MissingJob[] = [];
  let open = 0;
  const pages = readInTurns<JobOutline>(OUTLINES_PER_READ, (after) =>
    jobs.listOpenOutlines(adopted === null, { after, limit: OUTLINES_PER_READ }),
  );
  for await (const page of pages) {
    for (const outline of page) {
      if (!isOwned(outline, adopted)) continue;
      open += 1;
      if (read.has(outline.id) || outline.updatedAt > run.startedAt) continue;
      missing.push({ id: outline.id, companyId: outline.companyId });
    }
  }
  return { jobs: missing, open };
}

function isOwned(
  { syncedIn, companyId }: Pick<Job, 'syncedIn' | 'companyId'>,
  adopted: ReadonlySet<CompanyId> | null,
): boolean {
  return syncedIn !== null || adopted?.has(companyId) === true;
}

/** Closes or archives missing jobs. Leaves those that another command has changed meanwhile. */
export async function moveMissing(
  scope: Scope,
  run: SyncRun,
  found: readonly MissingJob[],
  missing: Exclude<MissingJobs, 'keep'>,
  adopted: ReadonlySet<CompanyId> | null,
): Promise<SyncStep> {
  const ids = found.map(({ id }) => id);
  const storedAt = found.map(({ companyId }) => companyId);
  const { jobs, companies } = await lockFoundJobs(scope, ids, [], storedAt);
  const updatedAt = await scope.now();
  const state = missing === 'close' ? 'closed' : 'archived';
  const moved = jobs.flatMap((job): Job[] => {
    if (job === null || job.state !== 'open' || job.updatedAt > run.startedAt) return [];
    if (!isOwned(job, adopted) || companies.get(job.companyId)?.environment !== 'production') return [];
    return [{ ...job, state, updatedAt, syncedIn: run.id }];
  });
  await scope.tx.jobs.save(moved);
  await announceJobs(scope, moved);
  return { counts: { closed: moved.length }, refused: [], changed: moved };
}

/** Returns what turns the held jobs of an earlier run into these. Most runs find and leave none, and read one empty page. */
export async function changeOfHeld(
  { jobSyncs }: Pick<Repositories, 'jobSyncs'>,
  missing: readonly MissingJob[],
): Promise<HeldChange> {
  const added = new Map(
    missing.map(({ companyId, id: jobId }) => [`${companyId} ${jobId}`, { companyId, jobId }]),
  );
  const removed: HeldJob[] = [];
  const pages = readInTurns<HeldJob>(OUTLINES_PER_READ, (after) =>
    jobSyncs.listHeld(null, { after, limit: OUTLINES_PER_READ }),
  );
  for await (const page of pages) {
    for (const held of page) if (!added.delete(`${held.companyId} ${held.jobId}`)) removed.push(held);
  }
  return { added: [...added.values()], removed };
}

export async function productionOf(
  { read }: Pick<Runner, 'read'>,
  { companies }: ReadRows,
): Promise<ReadonlySet<CompanyId>> {
  const found = await read.companies.findMany([...companies]);
  const production = found.filter((company) => company?.environment === 'production');
  return new Set(production.flatMap((company) => company?.id ?? []));
}

/** Returns why missing jobs must not be closed. Null if they may be. */
export async function findReasonToHold(
  { read }: Pick<Runner, 'read'>,
  { count, refused, unidentified }: ReadRows,
  { missingShareAtMost: atMost }: SyncRules,
  missing: number,
  open: number,
): Promise<string | null> {
  const { applyUpTo } = await read.jobSyncs.find();
  return reasonToHold({
    taken: count - refused,
    unidentified,
    missing,
    open,
    atMost,
    applyUpTo: applyUpTo ?? 0,
  });
}
