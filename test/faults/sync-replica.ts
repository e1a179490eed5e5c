/** A worker to be killed. It keeps jobs in step with a file, and notes when its reads begin and end. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  createPartnerHiring,
  createSystemRuntime,
  type IdKind,
  type IdOf,
  type SourceJob,
  type Storage,
} from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';
import { type HostRow, PAGES, PICKER_DETAILS, sharedNow } from './stage/host-jobs.js';

process.on('disconnect', () => process.exit());

export interface SyncReplicaSettings {
  readonly location: DatabaseLocation;
  readonly folder: string;
}

const { location, folder } = JSON.parse(process.argv[2] ?? '') as SyncReplicaSettings;
const clock = { now: () => sharedNow(folder) };
/** Longer than a page takes to be read from a table. */
const PAGE_MS = 10;

function open(): Promise<Storage<never>> {
  const { kind } = location;
  const opened =
    kind === 'sqlite'
      ? createSqliteStorage({ file: location.file, clock })
      : createPostgresStorage({ connectionString: location.connectionString, ...location.schemas, clock });
  return opened as Promise<Storage<unknown>> as Promise<Storage<never>>;
}

function note(line: string): void {
  appendFileSync(join(folder, 'notes'), `${line}\n`);
}

/** Reads the file again for each page, because the rows change while they are read. */
async function* read(): AsyncGenerator<SourceJob> {
  const { operation } = await partnerHiring.operator.jobs.syncs.last();
  note(`begin ${process.pid} ${operation?.id}`);
  for (let page = 0; page < PAGES; page += 1) {
    const rows = JSON.parse(readFileSync(join(folder, 'rows.json'), 'utf8')) as readonly HostRow[];
    note(`page ${process.pid}`);
    for (const { number, id, companyId, changes, isOpen } of rows) {
      if (!isOpen || number % PAGES !== page) continue;
      const version = number % 2 === 0 ? changes : undefined;
      yield { ...PICKER_DETAILS, id, companyId, title: `Picker ${changes}`, version };
    }
    await setTimeout(PAGE_MS);
  }
  note(`end ${process.pid}`);
}

const runtime = createSystemRuntime();
const ids = {
  /** Shows the test which process has begun an operation. */
  next: <Kind extends IdKind>(kind: Kind) => `${runtime.ids.next(kind)}_${process.pid}` as IdOf<Kind>,
};
const partnerHiring = createPartnerHiring({
  storage: await open(),
  secretKey: '0123456789abcdef'.repeat(4),
  runtime: { ...runtime, ids, clock: { ...runtime.clock, now: clock.now } },
  worker: { pollEveryMs: 20 },
  // All jobs of one key may go at once: this attack is not about sources that have lost many.
  jobs: { read, everyMs: 20, missingShareAtMost: 1 },
});
partnerHiring.worker.start();
process.send?.({ pid: process.pid });
