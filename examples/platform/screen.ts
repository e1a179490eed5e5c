import { OperatorError } from '@partner-hiring/core';
import type { ApplicationId } from '@partner-hiring/core/ports';
import { inTransaction } from './in-transaction.js';
import type { Platform } from './platform.js';

/** Copies a submission into the platform's table, and sets its status to `in_progress`. */
export async function screen({ pool, partnerHiring }: Platform, id: ApplicationId): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { applications } = partnerHiring.operator.within(client);
    const found = await applications.find({ id });
    if (found === null)
      throw new OperatorError('APPLICATION_NOT_FOUND', `The application ${id} does not exist.`);
    const name = `${found.candidate.firstName} ${found.candidate.lastName}`;
    await client.query('insert into candidate values ($1, $2, $3, $4)', [id, found.jobId, name, 'screening']);
    await applications.beginEvaluation({ id });
  });
}
