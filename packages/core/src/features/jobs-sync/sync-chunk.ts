import { type HighPay, withHighPay } from '../../domain/high-pay.js';
import type { CompanyId, JobId } from '../../domain/ids.js';
import type { Job } from '../../domain/job.js';
import type { RefusedRow, SyncRow } from '../../domain/source-row.js';
import { NO_SYNC_COUNTS } from '../../domain/sync-counts.js';
import type { Instant } from '../../domain/time.js';
import { announceJobs } from '../../groups/jobs/announce.js';
import { objectOfJob } from '../../groups/jobs/publish-jobs.js';
import { type CompanyNamesById, missingCompanies, renameCompanies } from '../../groups/jobs/row-companies.js';
import { checkRow, type RowHead, readHead } from '../../groups/jobs/source-job.js';
import { lockFoundJobs } from '../../operator/find-or-throw.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import {
  type ChunkPlan,
  decideSyncedJob,
  isInStep,
  planChunk,
  refuseRepeated,
  type StoredJobs,
  type SyncRun,
} from './rules.js';
import type { SyncStep } from './sync-state.js';

/** The facts that a run keeps of the rows that it has read. */
export interface ReadRows {
  readonly ids: Set<JobId>;
  /** The name that the run has taken for each company that its rows name. */
  readonly names: Map<CompanyId, string>;
  /** The companies of the rows, for a sync that adopts their other jobs. */
  readonly companies: Set<CompanyId>;
  count: number;
  refused: number;
  /** The number of rows without the id of a job. Any missing job may be one of them. */
  unidentified: number;
  highPay: HighPay;
}

export function noReadRows(): ReadRows {
  const { highPay } = NO_SYNC_COUNTS;
  const counts = { count: 0, refused: 0, unidentified: 0, highPay };
  return { ids: new Set(), names: new Map(), companies: new Set(), ...counts };
}

/** The rows of a chunk that may change something, and the result for the other rows. */
export interface SortedChunk {
  readonly rows: readonly SyncRow[];
  /** The companies of the stored jobs of these rows. */
  readonly storedAt: readonly CompanyId[];
  readonly refused: readonly RefusedRow[];
  readonly unchanged: number;
}

export const NO_ROWS: SortedChunk = { rows: [], storedAt: [], refused: [], unchanged: 0 };

export function joinChunks(one: SortedChunk, other: SortedChunk): SortedChunk {
  return {
    rows: [...one.rows, ...other.rows],
    storedAt: [...one.storedAt, ...other.storedAt],
    refused: [...one.refused, ...other.refused],
    unchanged: one.unchanged + other.unchanged,
  };
}

/**
 * Separates the rows that may change something from those that do not. Compares them with the stored jobs, without a
 * lock.
 */
export async function sortChunk(
  read: Pick<Repositories, 'jobs' | 'companies'>,
  run: SyncRun,
  known: ReadRows,
  chunk: readonly unknown[],
): Promise<SortedChunk> {
  const refused: RefusedRow[] = [];
  const heads = chunk.map(readHead).filter((head) => {
    known.count += 1;
    if (head.id === null) known.unidentified += 1;
    else if (known.ids.has(head.id)) {
      refused.push(refuseRepeated(head.id));
      return false;
    } else known.ids.add(head.id);
    if (head.isHighPay && head.id !== null) known.highPay = withHighPay(known.highPay, head.id);
    if (head.companyId !== null) known.companies.add(head.companyId);
    return true;
  });
  const outlines = await outlinesOf(read, heads);
  await learnNames(read, known, heads);
  const isSettled = (head: RowHead) =>
    head.companyId !== null &&
    hasKnownName(known, head) &&
    isInStep(outlines.get(head.id) ?? null, { version: head.version, companyId: head.companyId });
  const open = heads.filter((head) => !isSettled(head));
  const rows: SyncRow[] = [];
  for (const head of open) {
    const checked = checkRow(head);
    if ('code' in checked) refused.push(checked);
    else rows.push(checked);
  }
  const unversioned = rows.filter(
    ({ id, version }) => version === null && (outlines.get(id)?.syncedIn ?? null) !== null,
  );
  const same = await findSame(read, run, known, unversioned);
  const differing = rows.filter(({ id }) => !same.has(id));
  return {
    rows: differing,
    storedAt: differing.flatMap(({ id }) => outlines.get(id)?.companyId ?? []),
    refused,
    unchanged: heads.length - open.length + same.size,
  };
}

async function outlinesOf({ jobs }: Pick<Repositories, 'jobs'>, heads: readonly RowHead[]) {
  const ids = heads.flatMap(({ id }) => id ?? []);
  const found = await jobs.findOutlines(ids);
  return new Map(ids.map((id, index) => [id as JobId | null, found[index] ?? null]));
}

/**
 * If a row repeats the stored name of its company, takes this name. Other names are taken after the commit that stores
 * them.
 */
async function learnNames(
  { companies }: Pick<Repositories, 'companies'>,
  known: ReadRows,
  heads: readonly RowHead[],
): Promise<void> {
  const asked = newNames(known, heads);
  const found = await companies.findMany([...asked.keys()]);
  for (const company of found) {
    if (company !== null && asked.get(company.id) === company.name) known.names.set(company.id, company.name);
  }
}

/**
 * Returns whether the run has a name for the row's company. If rows name a company differently, the first name counts.
 */
function hasKnownName(
  { names }: ReadRows,
  { companyId, companyName }: Pick<RowHead, 'companyId' | 'companyName'>,
) {
  return companyName === null || (companyId !== null && names.has(companyId));
}

/** Returns the ids of rows without a version whose jobs are the same. */
async function findSame(
  { jobs }: Pick<Repositories, 'jobs'>,
  run: SyncRun,
  known: ReadRows,
  rows: readonly SyncRow[],
): Promise<ReadonlySet<JobId>> {
  const found = await jobs.find(rows.map(({ id }) => id));
  const same = rows.filter(
    (row, index) =>
      hasKnownName(known, row) &&
      decideSyncedJob(row, found[index] ?? null, run, run.startedAt).kind === 'unchanged',
  );
  return new Set(same.map(({ id }) => id));
}

/** Other transactions do not publish the same ids more often than this. */
const MAX_TRIES = 10;

/** Changes the jobs of a chunk's rows. The companies of the jobs are locked until the commit. */
export async function changeChunk(
  scope: Scope,
  run: SyncRun,
  known: ReadRows,
  { rows, storedAt, refused, unchanged }: SortedChunk,
): Promise<SyncStep> {
  const { tx } = scope;
  const now = await scope.now();
  const names = newNames(known, rows);
  await addCompanies(scope, names, now);
  const ids = rows.map(({ id }) => id);
  const companyIds = [...new Set(rows.map(({ companyId }) => companyId))];
  for (let tries = 1; ; tries += 1) {
    const { jobs, companies } = await lockFoundJobs(scope, ids, companyIds, storedAt);
    const stored = { jobs: new Map(jobs.flatMap((job) => (job === null ? [] : [[job.id, job]]))), companies };
    const plan = planChunk(rows, stored, run, now);
    // Another transaction may have published one of these jobs meanwhile. Then `add` has added none.
    if (plan.added.length > 0 && (await tx.jobs.add(plan.added)).length > 0) {
      if (tries < MAX_TRIES) continue;
      throw new Error('Other transactions publish the same jobs again and again.');
    }
    await tx.jobs.save([...plan.changed, ...plan.marked]);
    const production = [...companies.values()].filter(({ environment }) => environment === 'production');
    const renamed = await renameCompanies(scope, names, production);
    await announceChunk(scope, plan, stored, renamed.jobs);
    recordTurned(scope, run, stored, plan.changed);
    const allRefused = [...refused, ...plan.refused];
    return {
      counts: {
        ...plan.counts,
        unchanged: plan.counts.unchanged + unchanged,
        refused: allRefused.length,
      },
      refused: allRefused,
      changed: [...plan.added, ...plan.changed],
    };
  }
}

/** Records which jobs the source has made internal-only or public. The act of the whole run does not say it of a job. */
function recordTurned(scope: Scope, { id }: SyncRun, { jobs }: StoredJobs, changed: readonly Job[]): void {
  for (const internalOnly of [true, false]) {
    const turned = changed.filter(
      (job) => job.internalOnly === internalOnly && jobs.get(job.id)?.internalOnly === !internalOnly,
    );
    const [first, ...others] = turned.map(objectOfJob);
    if (first === undefined) continue;
    recordAct(
      { ...scope, act: 'jobs.setVisibility' },
      {
        objects: [first, ...others, { kind: 'operation', id }],
        count: turned.length,
        before: { internalOnly: !internalOnly },
        after: { internalOnly },
      },
    );
  }
}

/** Takes the names of the rows' companies. Call it after the commit of `changeChunk`. */
export function takeNames(known: ReadRows, rows: readonly SyncRow[]): void {
  for (const [id, name] of newNames(known, rows)) known.names.set(id, name);
}

function newNames(
  { names }: ReadRows,
  rows: readonly Pick<RowHead, 'companyId' | 'companyName'>[],
): CompanyNamesById {
  const taken = new Map<CompanyId, string>();
  for (const { companyId, companyName } of rows) {
    if (companyId === null || companyName === null || names.has(companyId) || taken.has(companyId)) continue;
    taken.set(companyId, companyName);
  }
  return taken;
}

async function addCompanies({ tx }: Scope, names: CompanyNamesById, createdAt: Instant): Promise<void> {
  const ids = [...names.keys()];
  const found = await tx.companies.findMany(ids);
  const existing = new Set(ids.filter((_, index) => found[index]));
  await tx.companies.addMissing(missingCompanies(names, (id) => existing.has(id), createdAt));
}

async function announceChunk(
  scope: Scope,
  { added, changed }: ChunkPlan,
  { jobs }: StoredJobs,
  renamed: readonly Job[],
): Promise<void> {
  const hasMoved = changed.some(({ id, companyId }) => jobs.get(id)?.companyId !== companyId);
  const announced = new Map([...renamed, ...added, ...changed].map((job) => [job.id, job]));
  await announceJobs(scope, [...announced.values()], hasMoved);
}
