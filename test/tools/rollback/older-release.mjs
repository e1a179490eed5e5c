/**
 * Runs with the packages of an older release, in an empty project: a partner submits to a database that a newer release has
 * migrated, lists, and the host hires.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createPartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';

const [file, connectionString, schema] = process.argv.slice(2);

const storages = {
  sqlite: () => createSqliteStorage({ file }),
  'postgres, at_start': () => createPostgresStorage({ connectionString, schema, migrate: 'at_start' }),
  'postgres, never': () => createPostgresStorage({ connectionString, schema, migrate: 'never' }),
};

for (const [name, open] of Object.entries(storages)) {
  const partnerHiring = createPartnerHiring({
    storage: await open(),
    secretKey: '0123456789abcdef'.repeat(4),
  });
  try {
    await play(partnerHiring);
  } finally {
    await partnerHiring.close();
  }
  console.log(`ok  the older release submits, lists and hires on the newer schema: ${name}`);
}

async function play({ operator, fetch, handler }) {
  const partner = await operator.partners.add({ name: 'ATS' });
  const { key, secret } = await operator.keys.issue({ partnerId: partner.id, environment: 'production' });
  const company = await operator.companies.register({ name: 'Initech', environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId: company.id });
  const job = await operator.jobs.publish({
    companyId: company.id,
    title: 'Picker',
    location: { city: 'Reno', state: 'NV', country: 'US' },
    compensation: { min: 20, max: 25, currency: 'USD' },
    schedule: 'full_time',
    headcount: { total: 3 },
  });
  const ask = async (path, init = {}) => {
    const headers = { authorization: `Bearer ${secret}`, ...init.headers };
    const response = await fetch(
      new Request(`http://api.test${handler.basePath}${path}`, { ...init, headers }),
    );
    return { status: response.status, json: await response.json() };
  };

  const submitted = await ask('/applications', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      jobId: job.id,
      candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' },
      consentToContact: true,
    }),
  });
  assert.equal(submitted.status, 201);
  const { id } = submitted.json;
  const jobs = await ask('/jobs');
  assert.deepEqual([jobs.status, jobs.json.data.length], [200, 1]);
  await operator.applications.move({ id });
  await operator.applications.decide({ id, decision: 'accepted' });
  const listed = await ask('/applications');
  assert.deepEqual(
    listed.json.data.map((each) => [each.id, each.status]),
    [[id, 'accepted']],
  );
}
