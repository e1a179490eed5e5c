import type { PartnerHiring } from '@partner-hiring/core';

/** Lets one partner in, unless an earlier start did. Prints the partner's key once. */
export async function seed<Transaction>({ operator }: PartnerHiring<Transaction>): Promise<void> {
  if ((await operator.companies.find({ id: 'co_bistro' })) !== null) return;
  const { id: companyId } = await operator.companies.create({
    id: 'co_bistro',
    name: 'Bistro Nord',
    environment: 'production',
  });
  await operator.jobs.publish({
    id: 'job_4711',
    companyId,
    title: 'Line Cook',
    location: { city: 'Austin', state: 'TX', country: 'US' },
    compensation: { min: 18, max: 22.5, currency: 'USD' },
  });
  const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
  const endpointUrl = process.env.WEBHOOK_URL;
  const { key, secret, endpoint } = await operator.keys.issue({
    partnerId,
    environment: 'production',
    ...(endpointUrl === undefined ? {} : { endpointUrl }),
  });
  await operator.access.grant({ keyId: key.id, companyId });
  console.log(`API key ${secret}`);
  if (endpoint !== null) console.log(`Signing secret ${endpoint.signingSecret}`);
}
