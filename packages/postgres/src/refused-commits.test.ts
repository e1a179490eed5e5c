/** A host's deferred constraint rejects a transaction at the commit. */
import { inspect } from 'node:util';
import { createPartnerHiring } from '@partner-hiring/core';
import type { AcceptedSubmission, Repositories } from '@partner-hiring/core/ports';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { Pool } from 'pg';
import { afterAll, expect, it } from 'vitest';
import {
  JOB_ID,
  KEY_ID,
  sampleApplication,
  sampleSubmission,
  seed,
  T0,
} from '../../../test/conformance/suite/storage/samples.js';
import { createSecret, describeSecret } from '../../core/src/domain/partner-key.js';
import { createPostgresStorage } from './create-postgres-storage.js';

const database = createTestSchema();
const { connectionString, schema } = database;
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const notices: unknown[] = [];

const pool = new Pool({ connectionString, pipeline: true });
pool.on('connect', (client) => client.on('notice', ({ message }) => notices.push(message)));
const storage = await createPostgresStorage({ pool, schema });
await seed(storage.direct);
// The source id is the error code.
await database.run(`
    create function ${schema}.refuse() returns trigger language plpgsql as $$ begin
      raise exception 'refused' using detail = 'e-mail ' || new.email, errcode = new.source_application_id;
    end $$;
    create constraint trigger refuse after insert on ${schema}.ph_application deferrable initially deferred
      for each row when (new.source_application_id is not null) execute function ${schema}.refuse()`);
afterAll(async () => {
  await storage.close();
  await pool.end();
  await database.drop();
});

let submissions = 0;

function submissionOf(sourceApplicationId: string): AcceptedSubmission {
  submissions += 1;
  const application = sampleApplication(submissions, T0 + submissions, { sourceApplicationId });
  return sampleSubmission(application, { idempotencyKey: `key-${submissions}` });
}

it.each<[string, (tx: Repositories, submission: AcceptedSubmission) => Promise<unknown>]>([
  ['by itself', (tx, submission) => tx.submissions.add([submission])],
  ['sent along', (tx, submission) => tx.submissions.chargeAndAdd([], [submission])],
])('a commit that is refused, %s, leaves no doubt, and tells nothing of rows', async (_, add) => {
  const submission = submissionOf('P0001');
  const refused = storage.transaction((tx) => add(tx, submission));
  await expect(refused).rejects.toMatchObject({ code: 'P0001', message: 'refused' });
  const { email } = submission.application.candidate;
  expect(inspect(await refused.catch((error: unknown) => error))).not.toContain(email);
  // A `rollback` outside a transaction would add a notice.
  expect(notices).toEqual([]);
  expect(await storage.direct.applications.find([submission.application.id])).toEqual([null]);
});

it('reports an unknown outcome if the connection breaks too', async () => {
  const submission = submissionOf('XX001');
  const lost = await storage
    .transaction((tx) => tx.submissions.chargeAndAdd([], [submission]))
    .catch((error: unknown) => error);
  expect(String(lost)).toContain('outcome is unknown');
  expect(inspect(lost)).not.toContain(submission.application.candidate.email);
});

it('adds the other submissions of a batch if a deferred constraint rejects one', async () => {
  const warnings: unknown[] = [];
  const secret = createSecret('production', Buffer.alloc(32, 7));
  await storage.direct.keys.addSecret(describeSecret(KEY_ID, 'production', secret, T0));
  const partnerHiring = createPartnerHiring({
    storage,
    secretKey: '0123456789abcdef'.repeat(4),
    logger: { ...SILENT, warn: (fields) => warnings.push(fields) },
  });
  const candidate = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.org', phone: '+14155550123' };
  const submit = async (number: number, sourceApplicationId: string | null) => {
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'idempotency-key': `9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a1${number}`,
    };
    const applicationFormAnswers = { licence: true };
    const body = { jobId: JOB_ID, candidate, consentToContact: true, applicationFormAnswers };
    const reply = await partnerHiring.fetch(
      new Request('http://api.test/api/v1/external/applications', {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...body, ...(sourceApplicationId === null ? {} : { sourceApplicationId }) }),
      }),
    );
    return reply.status;
  };
  const statuses = await Promise.all([submit(1, null), submit(2, 'P0001'), submit(3, null)]);
  expect(statuses).toEqual([201, 500, 201]);
  // If every submission succeeded alone, nothing else would report the failure.
  expect(warnings).toMatchObject([{ group: 'submission', size: 3, err: { code: 'P0001' } }]);
  expect(inspect(warnings)).not.toContain(candidate.email);
});
