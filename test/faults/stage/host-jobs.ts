import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompanyId, JobId } from '@partner-hiring/core';

/** A job in the platform's own table. */
export interface HostRow {
  readonly number: number;
  readonly id: JobId;
  readonly companyId: CompanyId;
  /** How often the row has changed. */
  readonly changes: number;
  readonly isOpen: boolean;
}

/** A source reads the table in this many pages. */
export const PAGES = 6;

export const PICKER_DETAILS = {
  location: { city: 'Austin', state: 'TX', country: 'US' },
  compensation: { min: 18, max: 22, currency: 'USD' },
};

/** The time of all processes of a test. It leaps for all at once: a file in the folder says how far it is ahead. */
export function sharedNow(folder: string): number {
  return Date.now() + Number(readFileSync(join(folder, 'ahead'), 'utf8'));
}

/** The platform's own table, in a file that other processes read. */
export interface HostJobs {
  readonly folder: string;
  rows(): readonly HostRow[];
  /** Changes some rows: their details, their state or their company. */
  change(count: number): void;
  /** Returns how often a job has become visible, or invisible, to those who see these companies. */
  turns(number: number, companies: ReadonlySet<CompanyId>): number;
  /** Sets the clocks of all processes ahead. */
  leap(ms: number): void;
  /** The lines that the readers of the file have added. */
  notes(): readonly (readonly string[])[];
  remove(): void;
}

/** @param random - returns numbers from 0 to 1. */
export function createHostJobs(
  count: number,
  companyIds: readonly CompanyId[],
  random: () => number,
): HostJobs {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-sync-'));
  const notes = join(folder, 'notes');
  let aheadMs = 0;
  const below = (limit: number) => Math.floor(random() * limit);
  const anyCompany = () => companyIds[below(companyIds.length)] ?? 'co_none';
  const rows = Array.from(
    { length: count },
    (_, number): HostRow => ({
      number,
      id: `job_own_${number}`,
      companyId: anyCompany(),
      changes: 0,
      isOpen: number % 4 !== 0,
    }),
  );
  /** The company of each job over time. Null while it is closed. */
  const lives = rows.map(({ isOpen, companyId }): (CompanyId | null)[] => [isOpen ? companyId : null]);

  function changed(row: HostRow): HostRow {
    const kind = below(4);
    const changes = row.changes + 1;
    if (kind === 0) return { ...row, changes };
    if (kind === 1 && row.isOpen) return { ...row, changes, companyId: anyCompany() };
    return { ...row, changes, isOpen: !row.isOpen };
  }

  /** Readers see the old or the new text, and never a part. */
  function replace(name: string, text: string): void {
    writeFileSync(join(folder, `${name}.new`), text);
    renameSync(join(folder, `${name}.new`), join(folder, name));
  }
  const save = () => replace('rows.json', JSON.stringify(rows));

  writeFileSync(notes, '');
  replace('ahead', '0');
  save();
  return {
    folder,
    rows: () => rows,
    change(many) {
      for (let times = 0; times < many; times += 1) {
        const number = below(count);
        const row = rows[number];
        // Some jobs never change: nobody may hear of them twice.
        if (row === undefined || number % 5 === 1) continue;
        const next = changed(row);
        rows[number] = next;
        lives[number]?.push(next.isOpen ? next.companyId : null);
      }
      save();
    },
    turns(number, companies) {
      let turns = 0;
      let wasSeen = false;
      for (const companyId of lives[number] ?? []) {
        const isSeen = companyId !== null && companies.has(companyId);
        if (wasSeen !== isSeen) turns += 1;
        wasSeen = isSeen;
      }
      return turns;
    },
    leap(ms) {
      aheadMs += ms;
      replace('ahead', String(aheadMs));
    },
    notes: () =>
      readFileSync(notes, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(' ')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
