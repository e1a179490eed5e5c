import {
  createPartnerHiring,
  createResumeFolder,
  type InboxItem,
  type PartnerHiring,
} from '@partner-hiring/core';
import { createSqliteStorage, type SqliteTransaction } from '@partner-hiring/sqlite';
import { transactBetterSqlite3 } from '@partner-hiring/sqlite/better-sqlite3';
import Sqlite, { type Database } from 'better-sqlite3';

/** The platform's database, which also contains the library's tables. */
export interface Platform {
  readonly database: Database;
  readonly partnerHiring: PartnerHiring<SqliteTransaction>;
  /** Runs `work` in a transaction on the database, while the library runs none of its own. */
  transact(work: (tx: Database) => Promise<void>): Promise<void>;
}

// Next bundles routes, pages and `instrumentation.ts` separately, so a variable of this module would exist several times.
const shared = globalThis as { platform?: Promise<Platform> };

/** Opens the platform once in this process. */
export function openPlatform(): Promise<Platform> {
  shared.platform ??= open();
  return shared.platform;
}

async function open(): Promise<Platform> {
  const file = process.env.DATABASE_FILE ?? 'platform.sqlite';
  const database = new Sqlite(file);
  database.pragma('journal_mode = WAL');
  database.exec(
    'create table if not exists candidate (application_id text primary key, name text, status text)',
  );
  const storage = await createSqliteStorage({ file });
  const partnerHiring = createPartnerHiring({
    storage,
    secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '',
    allowPrivateNetworks: process.env.ALLOW_PRIVATE_NETWORKS === 'yes',
    // Name a writable folder where the server's own is read-only, as in many containers.
    resumeSink: createResumeFolder(process.env.RESUME_FOLDER ?? 'resumes'),
    inbox: { receive: (items, { tx }) => receive(items, tx) },
  });
  return { database, partnerHiring, transact: (work) => transactBetterSqlite3(storage, database, work) };
}

/** Stores new candidates, and deletes erased ones, in the transaction that takes them from the inbox. */
function receive(items: readonly InboxItem[], tx: Database): void {
  const add = tx.prepare("insert into candidate values (?, ?, 'new')");
  const remove = tx.prepare('delete from candidate where application_id = ?');
  for (const { kind, applicationId, application } of items) {
    if (kind === 'candidate.erased') remove.run(applicationId);
    if (kind !== 'application.submitted') continue;
    const { firstName, lastName } = application.candidate;
    add.run(applicationId, `${firstName} ${lastName}`);
  }
}
