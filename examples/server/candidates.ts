import type { InboxOptions } from '@partner-hiring/core';
import Sqlite, { type Database } from 'better-sqlite3';

/** Creates the platform's own table in the database file. */
export function createCandidateTable(file: string): void {
  const handle = new Sqlite(file);
  try {
    const found = handle.prepare("select 1 from sqlite_schema where name = 'candidate'").get();
    // Creating it would wait for whoever writes.
    if (found !== undefined) return;
    handle.exec(
      'create table if not exists candidate (application_id text primary key, name text not null, email text not null) strict',
    );
  } finally {
    handle.close();
  }
}

/** Adds each new candidate to the platform's table, in the transaction that removes the items from the inbox. */
export const candidateInbox: InboxOptions<Database, Database> = {
  receive(items, { tx }) {
    const insert = tx.prepare('insert into candidate (application_id, name, email) values (?, ?, ?)');
    for (const { kind, application } of items) {
      if (kind !== 'application.submitted') continue;
      const { firstName, lastName, email } = application.candidate;
      insert.run(application.id, `${firstName} ${lastName}`, email);
    }
  },
};
