import { randomUUID } from 'node:crypto';
import type { SourceJob } from '@partner-hiring/core';

/** What the program knows of a stored job. */
export interface KnownJob {
  readonly id: string;
  readonly company_id: string;
  readonly source_version: string;
  readonly state: string;
}

export interface KnownAccess {
  readonly key_id: string;
  readonly company_id: string;
}

/** The rows of one transaction, as its statements take them. */
export interface HandBatch {
  readonly jobs: readonly JobValues[];
  readonly closed: readonly ClosedValues[];
  readonly keyJobs: readonly KeyJobValues[];
  readonly events: readonly EventValues[];
}

type JobValues = ReturnType<typeof jobValues>;
type ClosedValues = { readonly id: string; readonly at: number };
type KeyJobValues = ReturnType<typeof keyJobValues>;
type EventValues = ReturnType<typeof eventValues>;

/** A database, as the program uses it. */
export interface HandDatabase {
  readJobs(): Promise<readonly KnownJob[]>;
  readAccess(): Promise<readonly KnownAccess[]>;
  /** Writes the rows in one transaction. Jobs and rows of keys may exist. */
  write(batch: HandBatch): Promise<void>;
}

const BATCH = 500;

let lastStamp = 0;

/**
 * Keeps jobs in step as a developer would write it who may assume that nobody else writes: reads which versions are
 * stored, then writes what differs and closes what is missing, 500 jobs in each transaction. It takes no locks, checks no
 * row, and counts stamps in memory.
 */
export async function syncByHand(database: HandDatabase, source: Iterable<SourceJob>): Promise<void> {
  const known = new Map((await database.readJobs()).map((job) => [job.id, job]));
  const keysOf = new Map<string, string[]>();
  for (const { key_id: keyId, company_id: companyId } of await database.readAccess()) {
    keysOf.set(companyId, [...(keysOf.get(companyId) ?? []), keyId]);
  }
  const read = new Set<string>();
  let at = Math.max(Date.now(), lastStamp);
  let batch = { jobs: [], closed: [], keyJobs: [], events: [] } as Mutable<HandBatch>;
  const flush = async (atLeast: number) => {
    if (batch.jobs.length + batch.closed.length < atLeast) return;
    await database.write(batch);
    batch = { jobs: [], closed: [], keyJobs: [], events: [] };
  };
  const tell = (jobId: string, companyId: string, title: string | null, type: EventType | null) => {
    for (const keyId of keysOf.get(companyId) ?? []) {
      at += 1;
      lastStamp = at;
      batch.keyJobs.push(keyJobValues(keyId, jobId, companyId, type === 'job.closed' ? 0 : 1, at));
      if (type !== null) batch.events.push(eventValues(keyId, jobId, companyId, title, type, at));
    }
  };
  for (const job of source) {
    const companyId = job.company?.id ?? '';
    const before = known.get(job.id);
    read.add(job.id);
    if (before?.state === 'open' && before.source_version === String(job.version)) continue;
    batch.jobs.push(jobValues(job, companyId, at));
    tell(job.id, companyId, job.title, before?.state === 'open' ? null : 'job.opened');
    await flush(BATCH);
  }
  for (const { id, company_id: companyId, state } of known.values()) {
    if (state !== 'open' || read.has(id)) continue;
    batch.closed.push({ id, at });
    tell(id, companyId, null, 'job.closed');
    await flush(BATCH);
  }
  await flush(1);
}

type Mutable<Batch> = {
  -readonly [Name in keyof Batch]: Batch[Name] extends readonly (infer Item)[] ? Item[] : never;
};

type EventType = 'job.opened' | 'job.closed';

function jobValues(job: SourceJob, companyId: string, at: number) {
  const { id, title, location, compensation, schedule, headcount, version } = job;
  return {
    id,
    company_id: companyId,
    title,
    city: location.city,
    region: location.state,
    country: location.country,
    pay_type: 'hourly',
    pay_min: compensation.min ?? null,
    pay_max: compensation.max ?? null,
    pay_currency: compensation.currency,
    schedule: schedule ?? null,
    headcount_total: headcount?.total ?? null,
    headcount_filled: headcount?.filled ?? 0,
    application_form: null,
    state: 'open',
    internal_only: 0,
    created_at: at,
    updated_at: at,
    synced_in: 'op_by_hand',
    source_version: String(version),
  };
}

function keyJobValues(
  key_id: string,
  job_id: string,
  company_id: string,
  visible: 0 | 1,
  changed_at: number,
) {
  return { key_id, job_id, company_id, visible, changed_at, visible_since: changed_at };
}

function eventValues(
  key_id: string,
  jobId: string,
  companyId: string,
  title: string | null,
  type: EventType,
  at: number,
) {
  const id = `evt_${randomUUID()}`;
  const time = new Date(at).toISOString();
  const data =
    type === 'job.opened'
      ? { companyId, jobId, openedAt: time, title }
      : { closedAt: time, companyId, jobId, reason: 'closed_by_customer' };
  return {
    key_id,
    at,
    id,
    type,
    body: JSON.stringify({ apiVersion: 'v1', createdAt: time, data, id, type }),
  };
}
