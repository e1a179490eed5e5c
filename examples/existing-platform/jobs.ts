import { and, eq, gt } from 'drizzle-orm';
import { db, employer, opening } from './platform.js';

/** Reads the open openings of the platform, 500 at a time. Partners see these jobs. */
export async function* readJobs() {
  let after = '';
  do {
    const next = and(eq(opening.isOpen, true), gt(opening.id, after));
    const joined = db.select().from(opening).innerJoin(employer, eq(opening.employerId, employer.id));
    const rows = await joined.where(next).orderBy(opening.id).limit(500);
    yield* rows.map(
      ({ opening: { id, title, city, payFrom, payTo }, employer: { id: employerId, name } }) => ({
        id: `job_${id}` as const,
        company: { id: `co_${employerId}` as const, name },
        title,
        location: { city, state: 'TX', country: 'US' },
        compensation: { min: payFrom, max: payTo, currency: 'USD' },
      }),
    );
    after = rows.at(-1)?.opening.id ?? '';
  } while (after !== '');
}
