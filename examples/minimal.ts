/** The smallest host: one job, one partner, and each new candidate on the terminal. `npm run minimal` */
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Fastify from 'fastify';

const partnerHiring = createPartnerHiring({
  storage: await createSqliteStorage({ file: join(mkdtempSync(join(tmpdir(), 'minimal-')), 'data.sqlite') }),
  secretKey: randomBytes(32).toString('base64'),
  inbox: { receive: (items) => console.log(...items.map((it) => it.application?.candidate ?? it.kind)) },
});

const { companies, jobs, partners, keys, access } = partnerHiring.operator;
const { id: companyId } = await companies.create({ id: 'co_1', name: 'Bistro', environment: 'production' });
const job = { location: { city: 'Austin', state: 'TX', country: 'US' }, compensation: { currency: 'USD' } };
await jobs.publish({ id: 'job_1', companyId, title: 'Cook', ...job });
const { id: partnerId } = await partners.create({ name: 'Acme ATS' });
const { key, secret } = await keys.issue({ partnerId, environment: 'production' });
await access.grant({ keyId: key.id, companyId });

const app = Fastify();
await app.register(partnerHiringFastify(partnerHiring));
partnerHiring.worker.start();
const address = await app.listen({ port: Number(process.env.PORT ?? 3000) });
console.log(`API=${address}/api/v1/external; AUTH="Authorization: Bearer ${secret}"`);
