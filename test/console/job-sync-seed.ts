import type { SourceJob } from '@partner-hiring/core';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { openPlatform, type Platform } from './platform.js';

/** An opening of the platform's own table. */
export function opening(number: number, changes: Partial<SourceJob> = {}): SourceJob {
  const title = `Picker ${number}`;
  const company = { id: 'co_depot', name: 'Depot' } as const;
  return { ...WAREHOUSE_JOB, id: `job_depot_${number}`, title, company, ...changes };
}

export function openings(count: number): readonly SourceJob[] {
  return Array.from({ length: count }, (_, index) => opening(index + 1));
}

/** Openings of a company that does not exist. */
export function badOpenings(count: number): readonly SourceJob[] {
  return Array.from({ length: count }, (_, index) =>
    opening(index + 1, { id: `job_bad_${index + 1}`, company: null, companyId: 'co_unknown' }),
  );
}

/** A platform whose worker has brought 30 openings in step. */
export interface SyncPlatform extends Platform {
  /** The platform's own table. If it is null, the worker cannot read it. */
  readonly table: { rows: readonly SourceJob[] | null };
  /** Runs the sync as the worker does. */
  runSync(): Promise<void>;
  /** The source loses 25 of its 30 openings, so the run is held. */
  holdSync(): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** @param given - other options and the clock of the fixture. */
export async function openSyncPlatform(
  ...[more, clock]: Parameters<typeof openPlatform>
): Promise<SyncPlatform> {
  const table: SyncPlatform['table'] = { rows: openings(30) };
  const read = () => {
    if (table.rows === null) throw new Error('The table is locked.');
    return table.rows;
  };
  const platform = await openPlatform({ ...more, jobs: { read, everyMs: HOUR_MS } }, clock);
  const { fixture, acme } = platform;
  await fixture.operator.access.grant({ keyId: acme.keyId, companyId: 'co_depot' });
  const runSync = async () => {
    await fixture.operator.jobs.syncs.request();
    await fixture.pass(1_000);
  };
  const holdSync = async () => {
    table.rows = [...badOpenings(40), ...openings(5)];
    await runSync();
  };
  return { ...platform, table, runSync, holdSync };
}
