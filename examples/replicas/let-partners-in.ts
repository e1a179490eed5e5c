import type { IssuedKey, JobId, OperatorCommands } from '@partner-hiring/core';

/** The job that both partners see. */
export const JOB_ID: JobId = 'job_harbor_picker';

/** Gives two partners access, each with an endpoint, so that two workers can share the work. */
export async function letPartnersIn(
  operator: OperatorCommands,
  endpointUrl: string,
): Promise<readonly IssuedKey[]> {
  const { id: companyId } = await operator.companies.create({
    id: 'co_harbor',
    name: 'Harbor Logistics',
    environment: 'production',
  });
  await operator.jobs.publish({
    id: JOB_ID,
    companyId,
    title: 'Warehouse picker, nights',
    location: { city: 'Reno', state: 'NV', country: 'US' },
    compensation: { type: 'hourly', min: 24, max: 28, currency: 'USD' },
    schedule: 'full_time',
    headcount: { total: 100, filled: 0 },
    applicationFormSchema: null,
  });
  const issued: IssuedKey[] = [];
  for (const name of ['Acme ATS', 'Bright ATS']) {
    const partner = await operator.partners.create({ name });
    const key = await operator.keys.issue({ partnerId: partner.id, environment: 'production', endpointUrl });
    const access = { keyId: key.key.id, companyId };
    await operator.access.grant(access);
    // Allows 50 submissions per minute instead of 10. A partner with a backlog needs this.
    await operator.access.enableBootstrap(access);
    issued.push(key);
  }
  return issued;
}
