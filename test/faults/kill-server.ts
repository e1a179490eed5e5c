/** A server to be killed: the API and its worker on one SQLite file. Reports its port and key. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createPartnerHiring } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Fastify from 'fastify';

const [file = ''] = process.argv.slice(2);
const seedFile = `${file}.seed.json`;
const partnerHiring = createPartnerHiring({
  storage: await createSqliteStorage({ file }),
  secretKey: '0123456789abcdef'.repeat(4),
  limits: { submit_application: 1_000_000, list_applications: 1_000_000 },
});

async function seed(): Promise<{ secret: string; jobId: string }> {
  const { operator } = partnerHiring;
  const partner = await operator.partners.create({ name: 'Storm ATS' });
  const { key, secret } = await operator.keys.issue({ partnerId: partner.id, environment: 'production' });
  const company = await operator.companies.create({ name: 'Acme', environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId: company.id });
  const job = await operator.jobs.publish({
    companyId: company.id,
    title: 'Picker',
    location: { city: 'Reno', state: 'NV', country: 'US' },
    compensation: { type: 'hourly', min: null, max: null, currency: 'USD' },
    schedule: null,
    headcount: { total: null, filled: 0 },
    applicationFormSchema: null,
  });
  return { secret, jobId: job.id };
}

if (!existsSync(seedFile)) writeFileSync(seedFile, JSON.stringify(await seed()));
const app = Fastify();
await app.register(partnerHiringFastify(partnerHiring));
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.on('disconnect', () => process.exit());
process.send?.({
  port: typeof address === 'object' ? address?.port : null,
  ...JSON.parse(readFileSync(seedFile, 'utf8')),
});
