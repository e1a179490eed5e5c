import { eq } from 'drizzle-orm';
import { db, employer, opening } from './platform.js';

/** Reads the open openings of the platform. Partners see these jobs. */
export async function readJobs() {
  const ofEmployer = eq(opening.employerId, employer.id);
  const rows = await db
    .select()
    .from(opening)
    .innerJoin(employer, ofEmployer)
    .where(eq(opening.isOpen, true));
  return rows.map(({ opening: { id, title, city }, employer: { id: employerId, name } }) => ({
    id: `job_${id}` as const,
    company: { id: `co_${employerId}` as const, name },
    title,
    location: { city, state: 'TX', country: 'US' },
    compensation: { currency: 'USD' },
  }));
}
