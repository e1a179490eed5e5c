import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestInstance } from '@partner-hiring/testing';
import { temporaryPostgres } from '@partner-hiring/testing/postgres';
import { eq } from 'drizzle-orm';
import { createHiring } from './partner-hiring.js';
import { candidate, db, pool } from './platform.js';

after(() => pool.end());

test('a candidate of a partner is a row of ours until an erasure', async () => {
  const instance = await createTestInstance({ database: temporaryPostgres({ pool }), create: createHiring });
  const { id: applicationId } = (await instance.createApplication()).application;
  const rows = () => db.select().from(candidate).where(eq(candidate.applicationId, applicationId));
  await instance.drain(); // does the due work of the worker
  assert.equal((await rows())[0]?.status, 'new');

  await instance.operator.candidates.erase({ applicationId });
  await instance.drain();
  assert.deepEqual(await rows(), []);
  await instance.close();
});
