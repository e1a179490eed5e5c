/** A host's deferred constraint rejects the rows of operators and workers for one key. */
import { inspect } from 'node:util';
import { createPartnerHiring, type PartnerHiring } from '@partner-hiring/core';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { createTestSchema, type TestSchema } from '@partner-hiring/test-support/postgres/database';
import { Pool } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';
import type { PostgresTransaction } from './host-transaction.js';

let database: TestSchema;
let pool: Pool;
let partnerHiring: PartnerHiring<PostgresTransaction>;
let posts: string[];

beforeEach(async () => {
  database = createTestSchema();
  pool = new Pool({ connectionString: database.connectionString, pipeline: true });
  posts = [];
  partnerHiring = createPartnerHiring({
    storage: await createPostgresStorage({ pool, schema: database.schema }),
    secretKey: '0123456789abcdef'.repeat(4),
    transport: {
      post: async ({ url }) => {
        posts.push(url);
        return { kind: 'answered', status: 500, excerpt: '' };
      },
      close: async () => {},
    },
  });
});
afterEach(async () => {
  await partnerHiring.close();
  await pool.end();
  await database.drop();
});

async function addPartner(companyId: `co_${string}`, endpointUrl: string) {
  const { partners, keys, access } = partnerHiring.operator;
  const { id } = await partners.create({ name: endpointUrl });
  const { key } = await keys.issue({ partnerId: id, environment: 'production', endpointUrl });
  await access.grant({ keyId: key.id, companyId });
  return key.id;
}

/** The returned function lifts the rejection. */
async function refuse(table: 'ph_event' | 'ph_delivery', keyId: string): Promise<() => Promise<void>> {
  const { schema } = database;
  await database.run(`
    create function ${schema}.refuse() returns trigger language plpgsql as $$ begin
      raise exception 'refused' using detail = 'a row of ' || new.key_id;
    end $$;
    create constraint trigger refuse after insert or update on ${schema}.${table} deferrable initially deferred
      for each row when (new.key_id = '${keyId}') execute function ${schema}.refuse()`);
  return async () => void (await database.run(`drop trigger refuse on ${schema}.${table}`));
}

it('changes nothing if the commit of a command fails', async () => {
  const { companies, jobs } = partnerHiring.operator;
  const { id: companyId } = await companies.create({ name: 'Diner', environment: 'production' });
  await addPartner(companyId, 'https://good.example');
  const keyId = await addPartner(companyId, 'https://refused.example');
  await refuse('ph_event', keyId);
  const refused = jobs.publish({ ...WAREHOUSE_JOB, companyId });
  await expect(refused).rejects.toMatchObject({ code: 'P0001', message: 'refused' });
  expect(inspect(await refused.catch((error: unknown) => error))).not.toContain('a row of');
  expect((await jobs.list({ companyId })).items).toEqual([]);
  await partnerHiring.worker.drain();
  expect(posts).toEqual([]);
});

it("does not delay other endpoints if one endpoint's results are rejected, and counts them once afterwards", async () => {
  const { companies, jobs, endpoints } = partnerHiring.operator;
  const { id: companyId } = await companies.create({ name: 'Diner', environment: 'production' });
  const good = await addPartner(companyId, 'https://good.example');
  const held = await addPartner(companyId, 'https://refused.example');
  const failures = async (keyId: typeof good) =>
    (await endpoints.find({ keyId }))?.health.consecutiveFailures;
  const letThrough = await refuse('ph_delivery', held);
  await jobs.publish({ ...WAREHOUSE_JOB, companyId });
  partnerHiring.worker.start();
  await vi.waitFor(async () => expect(await failures(good)).toBe(1), 60_000);
  expect(await failures(held)).toBe(0);
  await letThrough();
  await vi.waitFor(async () => expect(await failures(held)).toBe(1), 60_000);
  // A result that could not be saved causes no new attempt.
  expect(posts.toSorted()).toEqual(['https://good.example/', 'https://refused.example/']);
});
