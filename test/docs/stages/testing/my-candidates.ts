import type { InboxItem } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';

/** Keeps the table of candidates up to date. */
export function saveCandidate(tx: Database, { kind, applicationId, application }: InboxItem): void {
  tx.exec('create table if not exists candidate (id text primary key, name text)');
  if (kind === 'candidate.erased') tx.prepare('delete from candidate where id = ?').run(applicationId);
  if (kind !== 'application.submitted') return;
  tx.prepare('insert into candidate values (?, ?)').run(applicationId, application.candidate.lastName);
}
