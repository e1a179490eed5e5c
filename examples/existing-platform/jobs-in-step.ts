import { eq } from 'drizzle-orm';
import { partnerHiring } from './partner-hiring.js';
import { db, employer, opening } from './platform.js';

/** Adds, updates and closes jobs, so that partners see the openings of the platform. */
export async function bringJobsInStep(signal?: AbortSignal): Promise<void> {
  const ofEmployer = eq(opening.employerId, employer.id);
  const rows = await db
    .select()
    .from(opening)
    .innerJoin(employer, ofEmployer)
    .where(eq(opening.isOpen, true));
  const source = rows.map(({ opening: { id, title, city }, employer: { id: employerId, name } }) => ({
    id: `job_${id}` as const,
    company: { id: `co_${employerId}` as const, name },
    title,
    location: { city, state: 'TX', country: 'US' },
    compensation: { currency: 'USD' },
  }));
  const { refused } = await partnerHiring.operator.jobs.sync(source, { missing: 'close', signal });
  for (const row of refused) console.warn('Partners do not see an opening:', row);
}

// In one replica at a time.
partnerHiring.lease('jobs', 60_000, ({ signal }) => bringJobsInStep(signal));
