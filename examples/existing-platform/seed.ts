/** Makes rows of the platform, and lets one partner in, unless an earlier start did. Prints the partner's key once. */
import { sql } from 'drizzle-orm';
import { readJobs } from './jobs.js';
import { openHiring } from './partner-hiring.js';
import { db, employer, opening, pool } from './platform.js';

await db.execute(sql`
  create table if not exists employer (id text primary key, name text not null);
  create table if not exists opening (id text primary key, employer_id text not null, title text not null, city text not null,
    pay_from numeric, pay_to numeric, is_open boolean not null);
  create table if not exists candidate (application_id text primary key, opening_id text not null, name text not null,
    status text not null)`);
const bistro = { id: 'bistro', name: 'Bistro Nord' };
const cook = {
  id: '4711',
  employerId: 'bistro',
  title: 'Line Cook',
  city: 'Austin, TX',
  payFrom: 15,
  payTo: 20.5,
  isOpen: true,
};
const waiter = { id: '4712', employerId: 'bistro', title: 'Waiter', city: 'Austin, TX', isOpen: false };
await db.insert(employer).values(bistro).onConflictDoNothing();
await db.insert(opening).values([cook, waiter]).onConflictDoNothing();

const partnerHiring = await openHiring();
const { access, jobs, keys, partners } = partnerHiring.operator;
if ((await partners.list()).items.length === 0) {
  await jobs.syncs.run(readJobs()); // so that the company exists
  const { id: partnerId } = await partners.create({ name: 'Acme ATS' });
  const endpointUrl = process.env.WEBHOOK_URL;
  const { key, secret, endpoint } = await keys.issue({ partnerId, environment: 'production', endpointUrl });
  await access.grant({ keyId: key.id, companyId: 'co_bistro' });
  console.log(`API key ${secret}`);
  if (endpoint !== null) console.log(`Signing secret ${endpoint.signingSecret}`);
}
await partnerHiring.close();
await pool.end();
