import { eq } from 'drizzle-orm';
import { partnerHiring } from './partner-hiring.js';
import { db, employer, opening } from './platform.js';

/** Publishes, updates and closes jobs, so that partners see the openings of the platform. */
export async function bringJobsInStep(): Promise<void> {
  const { companies, jobs } = partnerHiring.operator;
  const rows = await db.select().from(opening).innerJoin(employer, eq(opening.employerId, employer.id));
  const open = new Set<string>();
  for (const { opening: ours, employer: theirs } of rows.filter((row) => row.opening.isOpen)) {
    const [id, companyId] = [`job_${ours.id}`, `co_${theirs.id}`] as const;
    const changes = {
      title: ours.title,
      location: { city: ours.city, state: 'TX', country: 'US' },
      compensation: { currency: 'USD' },
    };
    open.add(id);
    if ((await companies.find({ id: companyId })) === null)
      await companies.create({ id: companyId, name: theirs.name, environment: 'production' });
    if ((await jobs.find({ id })) === null) await jobs.publish({ id, companyId, ...changes });
    await jobs.update({ id, changes });
    await jobs.reopen({ id });
  }
  for await (const { id: companyId } of companies.each()) {
    for await (const { id } of jobs.each({ companyId, state: 'open' }))
      if (!open.has(id)) await jobs.close({ id });
  }
}

// In one replica at a time.
partnerHiring.lease('jobs', 60_000, bringJobsInStep);
