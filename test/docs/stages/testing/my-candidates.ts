import type { InboxItem } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';

export function saveCandidate(tx: Database, { application: { id, candidate } }: InboxItem): string {
  tx.exec('create table if not exists candidate (id text primary key, name text)');
  tx.prepare('insert into candidate values (?, ?)').run(id, candidate.lastName);
  return candidate.lastName;
}
