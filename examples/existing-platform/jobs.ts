import type { SourceJob } from '@partner-hiring/core';
import { and, eq, gt } from 'drizzle-orm';
import { db, employer, opening } from './platform.js';

/** Reads the open openings of the platform, 500 at a time. Partners see these jobs. */
export async function* readJobs() {
  let after = '';
  do {
    const next = and(eq(opening.isOpen, true), gt(opening.id, after));
    const joined = db.select().from(opening).innerJoin(employer, eq(opening.employerId, employer.id));
    const rows = await joined.where(next).orderBy(opening.id).limit(500);
    yield* rows.map((row) => jobOf(row.opening, row.employer));
    after = rows.at(-1)?.opening.id ?? '';
  } while (after !== '');
}

type Row<Table extends { $inferSelect: unknown }> = Table['$inferSelect'];

/** Returns the job of a row. Returns an `Error` if the row is not complete. */
function jobOf(row: Row<typeof opening>, { id, name }: Row<typeof employer>): SourceJob | Error {
  const [city, state] = row.city.split(', '); // such as "Austin, TX"
  if (!city || !state) return new Error(`Opening ${row.id} has no state.`);
  return {
    id: `job_${row.id}`,
    company: { id: `co_${id}`, name },
    title: row.title,
    location: { city, state, country: 'US' },
    compensation: { min: row.payFrom, max: row.payTo, currency: 'USD' },
  };
}
