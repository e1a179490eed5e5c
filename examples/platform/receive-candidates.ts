import type { InboxItem } from '@partner-hiring/core';
import type { ClientBase } from 'pg';

/** Adds each new candidate to the platform's table, in the transaction that removes the items from the inbox. */
export async function receiveCandidates(client: ClientBase, items: readonly InboxItem[]): Promise<void> {
  for (const { kind, application } of items) {
    if (kind !== 'application.submitted') continue;
    const { id, jobId, candidate } = application;
    const name = `${candidate.firstName} ${candidate.lastName}`;
    await client.query('insert into candidate values ($1, $2, $3, $4)', [id, jobId, name, 'new']);
  }
}
