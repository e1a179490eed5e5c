import type { Company } from '../../domain/access.js';
import type { SyncTrouble } from '../../domain/alert.js';
import type { CompanyId, JobId, OperationId } from '../../domain/ids.js';
import type { Job, JobOutline } from '../../domain/job.js';
import { haveSameDetails } from '../../domain/job-facts.js';
import type { RefusedRow, SyncRow } from '../../domain/source-row.js';
import type { MissingJobs, SyncCounts } from '../../domain/sync-counts.js';
import type { Instant } from '../../domain/time.js';

export const MISSING_JOBS = ['close', 'archive', 'keep'] as const satisfies readonly MissingJobs[];

/** A run of a sync, as its chunks need it. */
export interface SyncRun {
  readonly id: OperationId;
  /** Jobs that another command changed after this instant are left to the next run. */
  readonly startedAt: Instant;
}

/** Returns whether to skip a row: the stored job has its version and company, is open, and is kept in step. */
export function isInStep(
  outline: JobOutline | null,
  { version, companyId }: Pick<SyncRow, 'version' | 'companyId'>,
): boolean {
  return (
    outline !== null &&
    version !== null &&
    outline.sourceVersion === version &&
    outline.state === 'open' &&
    outline.syncedIn !== null &&
    outline.companyId === companyId
  );
}

export type SyncedJob =
  | { readonly kind: 'added' | 'updated' | 'reopened'; readonly job: Job }
  /** Changes only the version, or the mark that the sync keeps the job in step. Partners see neither. */
  | { readonly kind: 'marked'; readonly job: Job }
  | { readonly kind: 'unchanged' };

/** Decides the effect of a row on the stored job. A job in the source is open. */
export function decideSyncedJob(row: SyncRow, stored: Job | null, run: SyncRun, now: Instant): SyncedJob {
  const { id, companyId, version: sourceVersion, details } = row;
  const read = { ...details, id, companyId, state: 'open', sourceVersion } as const;
  if (stored === null) {
    const internalOnly = row.internalOnly ?? false;
    return {
      kind: 'added',
      job: { ...read, internalOnly, createdAt: now, updatedAt: now, syncedIn: run.id },
    };
  }
  if (stored.updatedAt > run.startedAt) return { kind: 'unchanged' };
  const { createdAt, state } = stored;
  const internalOnly = row.internalOnly ?? stored.internalOnly;
  const job = { ...read, internalOnly, createdAt, updatedAt: now, syncedIn: run.id };
  if (state !== 'open') return { kind: 'reopened', job };
  const isSame =
    stored.companyId === companyId &&
    stored.internalOnly === internalOnly &&
    haveSameDetails(stored, details);
  if (!isSame) return { kind: 'updated', job };
  if (stored.syncedIn !== null && stored.sourceVersion === sourceVersion) return { kind: 'unchanged' };
  return { kind: 'marked', job: { ...stored, syncedIn: stored.syncedIn ?? run.id, sourceVersion } };
}

export interface ChunkPlan {
  readonly added: readonly Job[];
  /** Jobs that may look different to partners now. */
  readonly changed: readonly Job[];
  readonly marked: readonly Job[];
  readonly refused: readonly RefusedRow[];
  readonly counts: Pick<SyncCounts, 'added' | 'updated' | 'reopened' | 'unchanged'>;
}

/** The stored state. The companies of all rows and of all stored jobs are locked. */
export interface StoredJobs {
  readonly jobs: ReadonlyMap<JobId, Job>;
  readonly companies: ReadonlyMap<CompanyId, Company>;
}

/** Plans a chunk of rows with distinct ids. */
export function planChunk(
  rows: readonly SyncRow[],
  { jobs, companies }: StoredJobs,
  run: SyncRun,
  now: Instant,
): ChunkPlan {
  const added: Job[] = [];
  const changed: Job[] = [];
  const marked: Job[] = [];
  const refused: RefusedRow[] = [];
  const counts = { added: 0, updated: 0, reopened: 0, unchanged: 0 };
  for (const row of rows) {
    const stored = jobs.get(row.id) ?? null;
    const refusal = refusalOf(row, stored, companies);
    if (refusal !== null) {
      refused.push(refusal);
      continue;
    }
    const decision = decideSyncedJob(row, stored, run, now);
    counts[decision.kind === 'marked' ? 'unchanged' : decision.kind] += 1;
    if (decision.kind === 'added') added.push(decision.job);
    else if (decision.kind === 'marked') marked.push(decision.job);
    else if (decision.kind !== 'unchanged') changed.push(decision.job);
  }
  return { added, changed, marked, refused, counts };
}

function refusalOf(
  { id, companyId }: SyncRow,
  stored: Job | null,
  companies: StoredJobs['companies'],
): RefusedRow | null {
  if (stored !== null && companies.get(stored.companyId)?.environment === 'sandbox') {
    return { id, code: 'JOB_EXISTS', message: `Job ${id} is a sandbox job. Give the row another id.` };
  }
  const company = companies.get(companyId);
  if (company === undefined) {
    const message = `Company ${companyId} does not exist. Create it with companies.create, or name it in the row: company: { id, name }.`;
    return { id, code: 'COMPANY_NOT_FOUND', message };
  }
  if (company.environment === 'production') return null;
  const message = `Company ${companyId} is a sandbox company. A sync takes jobs of production companies.`;
  return { id, code: 'ENVIRONMENT_MISMATCH', message };
}

export function refuseRepeated(id: string): RefusedRow {
  return { id, code: 'DUPLICATE_ID', message: 'An earlier row has the same id. Read each job once.' };
}

/**
 * Up to this many missing jobs are closed whatever their share, because small platforms close that many in a day.
 * The sync is held anyway if its source had no usable row, or a row without an id.
 */
export const FEW_MISSING = 20;

export interface MissingFacts {
  /** How many rows of the source were not refused. */
  readonly taken: number;
  /** Rows without the id of a job. Any missing job may be one of them. */
  readonly unidentified: number;
  readonly missing: number;
  /** How many open jobs the sync keeps in step, including the missing ones. */
  readonly open: number;
  /** The largest share of the open jobs that may be missing, from 0 to 1. */
  readonly atMost: number;
  /** How many missing jobs the operator has allowed one run to close. */
  readonly applyUpTo: number;
}

/**
 * Returns why the source is probably broken: it has lost many jobs, has no usable row, or has rows without an id. Null if it looks
 * complete.
 */
export function reasonToHold(facts: MissingFacts): string | null {
  const { taken, unidentified, missing, open, atMost, applyUpTo } = facts;
  if (missing === 0 || missing <= applyUpTo) return null;
  if (taken === 0) return 'The source had no usable row.';
  if (unidentified > 0) {
    const rows = unidentified === 1 ? '1 row had' : `${unidentified} rows had`;
    return `${rows} no valid job id, so any missing job may be one of them.`;
  }
  if (missing <= FEW_MISSING || missing / open <= atMost) return null;
  return `${missing} of ${open} open jobs were missing, which is ${percent(missing / open)}. One run may close or archive at most ${percent(atMost)}.`;
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** A missing job that a held run has kept open. `companyId` is the company that it had then. */
export interface HeldJob {
  readonly companyId: CompanyId;
  readonly jobId: JobId;
}

/** The state of the syncs of jobs. */
export interface JobSyncState {
  /** The last run; null before the first one. */
  readonly operationId: OperationId | null;
  /** When a worker begins its next run, maybe in the past; null if no worker has a source. */
  readonly dueAt: Instant | null;
  /** How many missing jobs the next run may close beyond its limit; null if the operator has allowed none. */
  readonly applyUpTo: number | null;
  /** Whether the last run that read its source to the end was held. */
  readonly isHeld: boolean;
  /** How many runs in a row have failed. */
  readonly failures: number;
  /**
   * When the last good run ended, or before that the first run began; null before the first run. A good run has read
   * its source to the end.
   */
  readonly goodAt: Instant | null;
  /** How many rows the last good run has refused. */
  readonly refusedRows: number;
  /** Since when each good run has refused rows; null if the last one has refused none. */
  readonly refusedAt: Instant | null;
  /** How many missing jobs the last good run has held back. */
  readonly heldJobs: number;
  /** Since when each good run was held; null if the last one was not. */
  readonly heldAt: Instant | null;
}

/** The state before the first run. */
export const NO_SYNC: JobSyncState = {
  operationId: null,
  dueAt: null,
  applyUpTo: null,
  isHeld: false,
  failures: 0,
  goodAt: null,
  refusedRows: 0,
  refusedAt: null,
  heldJobs: 0,
  heldAt: null,
};

const FAILURES_TOLD = 2;

export function troublesOf({ failures, refusedRows, isHeld }: JobSyncState): readonly SyncTrouble[] {
  const troubles = [
    failures >= FAILURES_TOLD ? ('failed' as const) : null,
    refusedRows > 0 ? ('refused_rows' as const) : null,
    isHeld ? ('held' as const) : null,
  ];
  return troubles.filter((trouble) => trouble !== null);
}
