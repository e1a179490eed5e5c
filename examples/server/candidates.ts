import type { InboxOptions, Operator } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';
import { transactBetterSqlite3 } from '@partner-hiring/sqlite/better-sqlite3';
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

/** Makes `candidates.erase` also delete the candidates from the platform's table, in the same transaction. */
export function eraseFromTable(
  operator: Operator<Database>,
  storage: Storage<Database, Database>,
  file: string,
): Operator<Database> {
  return {
    ...operator,
    candidates: {
      ...operator.candidates,
      erase: async (erasure) => {
        const handle = new Sqlite(file);
        try {
          return await transactBetterSqlite3(storage, handle, async (tx) => {
            const receipt = await operator.within(tx).candidates.erase(erasure);
            const remove = tx.prepare('delete from candidate where application_id = ?');
            for (const { id } of receipt.applications) remove.run(id);
            return receipt;
          });
        } finally {
          handle.close();
        }
      },
    },
  };
}
