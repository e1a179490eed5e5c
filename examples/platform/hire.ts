import type { ApplicationId } from '@partner-hiring/core/ports';
import { inTransaction } from './in-transaction.js';
import type { Platform } from './platform.js';

/** What a recruiter decides. */
export interface HireOrder {
  readonly applicationId: ApplicationId;
  readonly recruiter: string;
  readonly hourlyCents: number;
  readonly taxClass: string;
}

/**
 * Hires: candidate, hire and payroll, the status that the partner reads, and the event on its way to the
 * partner's webhook are one commit. Whatever fails, at the commit itself too, takes all of it back.
 */
export async function hire({ pool, partnerHiring }: Platform, order: HireOrder): Promise<void> {
  const { applicationId: id, recruiter, hourlyCents, taxClass } = order;
  await inTransaction(pool, async (client) => {
    await client.query("update candidate set state = 'hired' where application_id = $1", [id]);
    await client.query('insert into hire (application_id, hired_by) values ($1, $2)', [id, recruiter]);
    await client.query('insert into payroll_entry values ($1, $2, $3)', [id, hourlyCents, taxClass]);
    // Last: what else changes for this partner's key waits from here to the commit.
    await partnerHiring.operator.within(client).applications.decide({ id, decision: 'accepted' });
  });
  // The worker would look within a second anyway.
  partnerHiring.worker.wake();
}
