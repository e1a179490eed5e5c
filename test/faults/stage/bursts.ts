import type { CompanyId, KeyId, PartnerHiring } from '@partner-hiring/core';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';

type Operator = PartnerHiring<unknown>['operator'];

/** What sends very many events at once. */
export type Burst = 'a grant' | 'a sync' | 'a backlog' | 'a resend';

export const BURSTS: readonly Burst[] = ['a grant', 'a sync', 'a backlog', 'a resend'];

const COMPANIES = 10;

interface BurstParts {
  readonly operator: Operator;
  readonly keyId: KeyId;
  readonly count: number;
  /** Resolves when the condition is met. */
  readonly until: (isSo: () => Promise<boolean>) => Promise<void>;
}

/** Prepares a burst of `count` events, and returns the command that causes it. */
export async function prepareBurst(burst: Burst, parts: BurstParts): Promise<() => Promise<unknown>> {
  const { operator, keyId, count, until } = parts;
  const [companyId, ...others] = await createCompanies(operator);
  if (companyId === undefined) throw new Error('The company is missing.');
  const jobs = (ids: readonly CompanyId[]) =>
    Array.from({ length: count }, (_, index) => ({
      ...WAREHOUSE_JOB,
      companyId: ids[index % ids.length] ?? companyId,
    }));

  if (burst === 'a grant') {
    const companyIds = [companyId, ...others];
    await operator.jobs.publish(jobs(companyIds));
    return () => operator.access.grant(companyIds.map((id) => ({ keyId, companyId: id })));
  }
  await operator.access.grant({ keyId, companyId });
  if (burst === 'a sync') {
    const source = jobs([companyId]).map((job, index) => ({ ...job, id: `job_own_${index}` as const }));
    return () => operator.jobs.syncs.run(source);
  }
  if (burst === 'a backlog') {
    await operator.endpoints.pause({ keyId });
    await operator.jobs.publish(jobs([companyId]));
    return () => operator.endpoints.resume({ keyId });
  }
  await operator.jobs.publish(jobs([companyId]));
  const resend = (dryRun: boolean) => operator.deliveries.resend({ keyId, since: 0, dryRun });
  // An event whose first delivery is not recorded yet is due anyway, and is not resent.
  await until(async () => (await resend(true)).count === count);
  return () => resend(false);
}

async function createCompanies(operator: Operator): Promise<readonly CompanyId[]> {
  const ids: CompanyId[] = [];
  for (let count = 0; count < COMPANIES; count += 1) {
    ids.push((await operator.companies.create({ name: `Depot ${count}`, environment: 'production' })).id);
  }
  return ids;
}
