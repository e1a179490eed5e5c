import type { RefusedRow } from '../../domain/source-row.js';
import type { SyncCounts } from '../../domain/sync-counts.js';
import type { JobSource } from '../../groups/jobs/source-job.js';
import { yieldToEventLoop } from '../../operator/event-loop.js';
import type { Runner } from '../../operator/scope.js';
import type { StorageClock } from '../../storage-clock.js';
import { planChunk, type SyncRun } from './rules.js';
import { createSourceReader } from './source-reader.js';
import { noReadRows, sortChunk, takeNames } from './sync-chunk.js';
import { findMissing, findReasonToHold, productionOf, type SyncRules } from './sync-missing.js';
import { REFUSED_KEPT } from './sync-state.js';

/** On SQLite, requests wait a few milliseconds for a commit of this many rows. */
const FEWEST_ROWS = 32;

/** More rows in a commit save little time, and hold its locks for longer. */
const MOST_ROWS = 512;

/**
 * Returns a function that gives requests a turn, and then says how many rows the next chunk has: fewer if the turn took a
 * millisecond because the process serves requests, and otherwise more.
 */
export function createChunkSize({ now }: Pick<StorageClock, 'now'>): () => Promise<number> {
  let rows = FEWEST_ROWS;
  return async () => {
    const startedAt = now();
    await yieldToEventLoop();
    rows = now() > startedAt ? Math.max(FEWEST_ROWS, rows / 2) : Math.min(MOST_ROWS, rows * 2);
    return rows;
  };
}

export interface CountedSync {
  readonly counts: SyncCounts;
  /** Why the run would be held. Null if it would not. */
  readonly heldReason: string | null;
  readonly refused: readonly RefusedRow[];
}

/** Counts what a run would do. Locks nothing and changes nothing. @throws the source's error, or the reason of `signal`. */
export async function countOutOfStep(
  runner: Pick<Runner, 'read' | 'now' | 'settings'>,
  source: JobSource,
  rules: SyncRules,
  signal?: AbortSignal,
): Promise<CountedSync> {
  const { read, now } = runner;
  const startedAt = await now();
  const run: SyncRun = { id: 'op_', startedAt };
  const known = noReadRows();
  const refused: RefusedRow[] = [];
  const counts = { added: 0, updated: 0, reopened: 0, unchanged: 0, refused: 0 };
  const reader = createSourceReader(source);
  const nextSize = createChunkSize(runner.settings.storageClock);
  const abort = () => reader.cancel(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  try {
    for (;;) {
      const count = await nextSize();
      const chunk = await reader.take(count);
      const sorted = await sortChunk(read, run, known, chunk);
      const plan = planChunk(sorted.rows, await storedOf(runner, sorted.rows, startedAt), run, startedAt);
      takeNames(known, sorted.rows);
      counts.added += plan.counts.added;
      counts.updated += plan.counts.updated;
      counts.reopened += plan.counts.reopened;
      counts.unchanged += plan.counts.unchanged + sorted.unchanged;
      const allRefused = [...sorted.refused, ...plan.refused];
      counts.refused += allRefused.length;
      known.refused += allRefused.length;
      refused.push(...allRefused.slice(0, REFUSED_KEPT - refused.length));
      if (chunk.length < count) break;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    reader.cancel(new Error('The count has ended.'));
  }
  const adopted = rules.adopt ? await productionOf(runner, known) : null;
  const { jobs, open } = await findMissing(read, run, known, adopted);
  const heldReason =
    rules.missing === 'keep' ? null : await findReasonToHold(runner, known, rules, jobs.length, open);
  const closed = heldReason !== null || rules.missing === 'keep' ? 0 : jobs.length;
  const { highPay } = known;
  return { counts: { ...counts, closed, missing: jobs.length, open, highPay }, heldReason, refused };
}

/** Returns the stored jobs and companies that a commit would find, with the companies that it would create. */
async function storedOf(
  { read }: Pick<Runner, 'read'>,
  rows: Parameters<typeof planChunk>[0],
  createdAt: number,
): Promise<Parameters<typeof planChunk>[1]> {
  const jobs = (await read.jobs.find(rows.map(({ id }) => id))).filter((job) => job !== null);
  const ids = new Set([...rows, ...jobs].map(({ companyId }) => companyId));
  const created = rows.flatMap(({ companyId: id, companyName: name }) =>
    name === null ? [] : [[id, { id, name, environment: 'production', createdAt } as const] as const],
  );
  const found = (await read.companies.findMany([...ids])).filter((company) => company !== null);
  return {
    jobs: new Map(jobs.map((job) => [job.id, job])),
    companies: new Map([...created, ...found.map((company) => [company.id, company] as const)]),
  };
}
