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

/**
 * Adds each new candidate to the platform's table, and deletes each erased one, in the transaction that removes the items
 * from the inbox.
 */
export const candidateInbox: InboxOptions<Database, Database> = {
  receive(items, { tx }) {
    const insert = tx.prepare('insert into candidate (application_id, name, email) values (?, ?, ?)');
    const remove = tx.prepare('delete from candidate where application_id = ?');
    for (const { kind, applicationId, application } of items) {
      // The platform may not know the application, for example if it was erased before it was handed over.
      if (kind === 'candidate.erased') remove.run(applicationId);
      if (kind !== 'application.submitted') continue;
      const { firstName, lastName, email } = application.candidate;
      insert.run(applicationId, `${firstName} ${lastName}`, email);
    }
  },
};
