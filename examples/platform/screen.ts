import type { ApplicationId } from '@partner-hiring/core';
import { inTransaction } from './in-transaction.js';
import type { Platform } from './platform.js';

/** Starts the screening of a candidate, in the platform's table and for the partner. */
export async function screen({ pool, partnerHiring }: Platform, id: ApplicationId): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("update candidate set state = 'screening' where application_id = $1", [id]);
    await partnerHiring.operator.within(client).applications.move({ id });
  });
}
