import { randomUUID } from 'node:crypto';
import type { PartnerHiring } from '@partner-hiring/core';

/** A partner of the benchmark: a key, a job to apply to, and applications to read. */
export interface BenchPartner {
  readonly secret: string;
  readonly jobId: string;
  readonly applicationIds: readonly string[];
}

/** How many keys share the load: each has a feed, indexes and windows of its own, so more keys are more pages. */
const PARTNERS = Number(process.env.BENCH_PARTNERS ?? 4);
/** How many jobs there are, and how many applications each key has. */
const ROWS = Number(process.env.BENCH_ROWS ?? 60);
/** A limit on requests that the benchmarks never reach. */
export const UNREACHED = 1_000_000_000;
/** Fewer than the requests that a key may have under way. */
const AT_ONCE = 60;
const BASE = 'http://bench/api/v1/external';

/** Partners, each with more than a page of jobs and of applications. */
export async function seedBenchmark<HostTx>(api: PartnerHiring<HostTx>): Promise<readonly BenchPartner[]> {
  const company = await api.operator.companies.create({ name: 'Bench & Sons', environment: 'production' });
  const jobs = await api.operator.jobs.publish(
    Array.from({ length: ROWS }, (_, index) => benchJob(company.id, index)),
  );
  const jobId = jobs[0]?.id;
  if (jobId === undefined) throw new Error('No job was published.');
  const partners: BenchPartner[] = [];
  for (let index = 0; index < PARTNERS; index += 1) {
    const partner = await api.operator.partners.create({ name: `ATS ${index}` });
    const { key, secret } = await api.operator.keys.issue({
      partnerId: partner.id,
      environment: 'production',
    });
    await api.operator.access.grant({ keyId: key.id, companyId: company.id });
    const applicationIds: string[] = [];
    while (applicationIds.length < ROWS) {
      const count = Math.min(AT_ONCE, ROWS - applicationIds.length);
      applicationIds.push(
        ...(await Promise.all(Array.from({ length: count }, () => submit(api, secret, jobId)))),
      );
    }
    partners.push({ secret, jobId, applicationIds });
  }
  return partners;
}

/** The body of a submission as the benchmarks send it; `source` makes each one different. */
const ADA = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' };

export type BenchCandidate = typeof ADA;

export function submissionBody(jobId: string, sourceApplicationId: string, candidate = ADA): string {
  return JSON.stringify({
    jobId,
    candidate,
    consentToContact: true,
    source: 'careers-page',
    sourceApplicationId,
    resumeUrl: 'https://files.example.org/resumes/ada.pdf',
  });
}

export async function submit<HostTx>(
  api: PartnerHiring<HostTx>,
  secret: string,
  jobId: string,
): Promise<string> {
  const response = await api.fetch(
    new Request(`${BASE}/applications`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: submissionBody(jobId, randomUUID()),
    }),
  );
  if (response.status !== 201) throw new Error(`The seed was refused: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

export function benchJob(companyId: `co_${string}`, index: number) {
  return {
    companyId,
    title: `Warehouse associate ${index}`,
    location: { city: 'Reno', state: 'NV', country: 'US' },
    compensation: { type: 'hourly' as const, min: 21.5, max: 26, currency: 'USD' },
    schedule: 'full_time',
    headcount: { total: 4, filled: 1 },
    applicationFormSchema: null,
  };
}
