import type { PartnerHiring, SourceJob, Storage } from '@partner-hiring/core';

/** A platform with its own table of jobs, and partners who see them. */
export interface Platform {
  readonly jobs: number;
  readonly companies: number;
  readonly keys: number;
}

const KEYS_PER_COMPANY = 3;
/** As many as one call takes. */
const GRANTS = 1_000;

const companyIdOf = (number: number) => `co_bench_${number}` as const;

/** `changed` has other titles in a tenth of the rows, and lacks 7.5 % of the jobs. */
export type SourceState = 'base' | 'changed';

const isUpdated = (number: number) => number % 10 === 0;
const isMissing = (number: number) => number % 40 < 4 && number % 40 > 0;

/** Yields the open jobs of the platform. The rows are made one at a time, so that the source needs no memory. */
export function* readSource({ jobs, companies }: Platform, state: SourceState): Generator<SourceJob, void> {
  for (let number = 0; number < jobs; number += 1) {
    if (state === 'changed' && isMissing(number)) continue;
    const version = state === 'changed' && isUpdated(number) ? 2 : 1;
    yield {
      id: `job_bench_${number}`,
      version,
      company: { id: companyIdOf(number % companies), name: `Depot ${number % companies}` },
      title: `Warehouse associate ${number}, revision ${version}`,
      location: { city: 'Reno', state: 'NV', country: 'US' },
      compensation: { min: 21.5, max: 26, currency: 'USD' },
      schedule: 'full_time',
      headcount: { total: 4, filled: 1 },
    };
  }
}

/** How many jobs differ between the two states. */
export function countChanges({ jobs }: Platform): number {
  const numbers = Array.from({ length: jobs }, (_, number) => number);
  return numbers.filter((number) => isUpdated(number) || isMissing(number)).length;
}

/** Creates the companies, and keys with endpoints. Three keys see each company. */
export async function createPlatform<HostTx>(
  { operator }: Pick<PartnerHiring<HostTx>, 'operator'>,
  { direct }: Pick<Storage<HostTx>, 'direct'>,
  { companies, keys }: Platform,
): Promise<void> {
  const numbers = Array.from({ length: companies }, (_, number) => number);
  await direct.companies.addMissing(
    numbers.map((number) => ({
      id: companyIdOf(number),
      name: `Depot ${number}`,
      environment: 'production',
      createdAt: Date.now(),
    })),
  );
  for (let index = 0; index < keys; index += 1) {
    const { id: partnerId } = await operator.partners.create({ name: `ATS of depots ${index}` });
    const { key } = await operator.keys.issue({ partnerId, environment: 'production' });
    await operator.endpoints.setUrl({ keyId: key.id, url: `https://ats.example/hooks/${index}` });
    const companyIds = numbers.filter((number) => isSeenBy(number, index, keys)).map(companyIdOf);
    for (let start = 0; start < companyIds.length; start += GRANTS) {
      await operator.access.grant(
        companyIds.slice(start, start + GRANTS).map((id) => ({ keyId: key.id, companyId: id })),
      );
    }
  }
}

function isSeenBy(company: number, key: number, keys: number): boolean {
  return (key - ((company * KEYS_PER_COMPANY) % keys) + keys) % keys < KEYS_PER_COMPANY;
}
