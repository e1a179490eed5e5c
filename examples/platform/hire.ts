import type { ApplicationId } from '@partner-hiring/core';
import { inTransaction } from './in-transaction.js';
import type { Platform } from './platform.js';

/** A recruiter's decision. */
export interface HireOrder {
  readonly applicationId: ApplicationId;
  readonly recruiter: string;
  readonly hourlyCents: number;
  readonly taxClass: string;
}

/**
 * Hires a candidate in one transaction: the platform's rows, the status for the partner, and the webhook event. Any
 * failure, even of the commit, rolls back all of it.
 */
export async function hire({ pool, partnerHiring }: Platform, order: HireOrder): Promise<void> {
  const { applicationId: id, recruiter, hourlyCents, taxClass } = order;
  await inTransaction(pool, async (client) => {
    await client.query("update candidate set state = 'hired' where application_id = $1", [id]);
    await client.query('insert into hire (application_id, hired_by) values ($1, $2)', [id, recruiter]);
    await client.query('insert into payroll_entry values ($1, $2, $3)', [id, hourlyCents, taxClass]);
    // `decide` comes last, because it locks the partner's feed until the commit.
    await partnerHiring.operator.within(client).applications.decide({ id, decision: 'accepted' });
  });
  // Wakes the worker at once. Otherwise it would find the event at its next poll, within a second.
  partnerHiring.worker.wake();
}
