/** A process to be killed. Its lease adds a line to a file when a run begins and when it ends. */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createPartnerHiring, type Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';

process.on('disconnect', () => process.exit());

export interface LeaseReplicaSettings {
  readonly location: DatabaseLocation;
  readonly folder: string;
  readonly leaseMs: number;
}

const { location, folder, leaseMs } = JSON.parse(process.argv[2] ?? '') as LeaseReplicaSettings;
const notes = join(folder, 'notes');
/** Holds the process id while a run is under way. A killed process leaves it behind. */
const running = join(folder, 'running');
const RUN_MS = 60;

function open(): Promise<Storage<never>> {
  if (location.kind === 'sqlite') {
    return createSqliteStorage({ file: location.file }) as Promise<Storage<unknown>> as Promise<
      Storage<never>
    >;
  }
  const { connectionString, schemas } = location;
  return createPostgresStorage({ connectionString, ...schemas }) as Promise<Storage<unknown>> as Promise<
    Storage<never>
  >;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const partnerHiring = createPartnerHiring({
  storage: await open(),
  secretKey: '0123456789abcdef'.repeat(4),
  worker: { pollEveryMs: 20, leaseMs },
});

partnerHiring.lease('count', 1_000, async () => {
  const other = existsSync(running) ? Number(readFileSync(running, 'utf8')) : null;
  if (other !== null && isAlive(other)) appendFileSync(notes, `overlap ${process.pid}\n`);
  writeFileSync(running, String(process.pid));
  appendFileSync(notes, `begin ${process.pid}\n`);
  await setTimeout(RUN_MS);
  appendFileSync(notes, `end ${process.pid}\n`);
  rmSync(running, { force: true });
});
partnerHiring.worker.start();
process.send?.({ pid: process.pid });
