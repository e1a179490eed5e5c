import type { CompanyId, JobId } from '@partner-hiring/core';
import type { Platform } from './platform.js';

/** A job opening as the platform itself stores it. */
export interface NewOpening {
  readonly id: JobId;
  readonly employerId: CompanyId;
  readonly title: string;
}

/** Publishes an opening and its job for partners in one transaction, with Kysely. */
export async function publishOpening(platform: Platform, opening: NewOpening): Promise<void> {
  const { kysely, partnerHiring } = platform;
  const { id, employerId, title } = opening;
  await kysely.transaction().execute(async (trx) => {
    await trx.insertInto('opening').values({ id, employer_id: employerId, title }).execute();
    // `publish` comes last, because it locks the feeds of all keys that see the job until the commit.
    await partnerHiring.operator.within(trx).jobs.publish({
      id,
      companyId: employerId,
      title,
      location: { city: 'Reno', state: 'NV', country: 'US' },
      compensation: { type: 'hourly', min: 24, max: 28, currency: 'USD' },
      schedule: 'full_time',
      headcount: { total: 2, filled: 0 },
      applicationFormSchema: null,
    });
  });
  partnerHiring.worker.wake();
}
