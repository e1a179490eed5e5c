import { createFixture, type Fixture } from './fixture.js';
import { createEmployer, createPartner, type Partner, submission } from './partner.js';
import { perTest } from './per-test.js';

/** The usual start: a partner with a key and an endpoint, and an employer with one open job. */
export interface Story {
  readonly fixture: Fixture;
  readonly partner: Partner;
  readonly companyId: `co_${string}`;
  readonly jobId: `job_${string}`;
}

/** Starts a story on a new platform. Close it afterwards. */
export async function beginStory(...options: Parameters<typeof createFixture>): Promise<Story> {
  const fixture = await createFixture(...options);
  const partner = await createPartner(fixture);
  return { fixture, partner, ...(await createEmployer(fixture, partner)) };
}

/** Begins a story before each test and closes it afterwards. */
export function useStory(...options: Parameters<typeof createFixture>): Story {
  return perTest(
    () => beginStory(...options),
    ({ fixture }) => fixture.close(),
  );
}

/** Submits candidates to a job concurrently; returns the application ids. */
export async function submitMany(partner: Partner, jobId: string, count: number): Promise<readonly string[]> {
  const replies = await Promise.all(Array.from({ length: count }, () => partner.submit(submission(jobId))));
  return replies.map(({ json }) => String(json.id));
}
