import type { InboxItem } from '@partner-hiring/core';
import type { ClientBase } from 'pg';

/**
 * Adds each new candidate to the platform's table, and deletes each erased one, in the transaction that removes the items
 * from the inbox.
 */
export async function receiveCandidates(client: ClientBase, items: readonly InboxItem[]): Promise<void> {
  for (const { kind, applicationId, application } of items) {
    if (kind === 'candidate.erased') await eraseCandidate(client, applicationId);
    if (kind !== 'application.submitted') continue;
    const { id, jobId, candidate } = application;
    const name = `${candidate.firstName} ${candidate.lastName}`;
    await client.query('insert into candidate values ($1, $2, $3, $4)', [id, jobId, name, 'new']);
  }
}

/** Deletes a candidate. The row of a person whom the platform has hired stays for the payroll, without the name. */
async function eraseCandidate(client: ClientBase, applicationId: string): Promise<void> {
  await client.query(
    'delete from candidate where application_id = $1 and application_id not in (select application_id from hire)',
    [applicationId],
  );
  await client.query("update candidate set name = '' where application_id = $1", [applicationId]);
}
