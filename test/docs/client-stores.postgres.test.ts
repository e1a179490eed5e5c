/** Plays the page with stores for the client on PostgreSQL. The stores pass the checks of the client's package. */

import { randomUUID } from 'node:crypto';
import type { Job, PartnerClient, SubmissionStore, SyncStore } from '@partner-hiring/client';
import { submissionStoreChecks, syncStoreChecks } from '@partner-hiring/client/testing';
import { collect } from '@partner-hiring/test-support/client/collect';
import { job } from '@partner-hiring/test-support/client/scripted-client';
import type { Pool } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { exported } from './exported.js';
import { startHost } from './host.js';
import { createDatabase, runSql } from './on-postgres.js';
import { tell } from './tell.js';

type OpenSubmissions = (pool: Pool) => SubmissionStore;
type OpenCopy = (pool: Pool, list: string) => SyncStore<Job>;

tell('docs/client-stores.md', async (open) => {
  const DATABASE_URL = await createDatabase();
  const { baseUrl, issued } = await startHost();
  const env = { DATABASE_URL, PARTNER_API_URL: baseUrl, PARTNER_API_KEY: issued.secret };
  const page = open({ env });
  await runSql(DATABASE_URL, page.next('sql').text);
  const createSubmissionStore = exported<OpenSubmissions>(await page.play(), 'createSubmissionStore');
  await runSql(DATABASE_URL, page.next('sql').text);
  const createSyncStore = exported<OpenCopy>(await page.play(), 'createSyncStore');
  const program = await page.play();
  const pool = exported<Pool>(program, 'pool');
  onTestFinished(() => pool.end());
  expect(page.printed()).toBe('whole: 1 rows');

  const submissions = async () => createSubmissionStore(pool);
  const copy = async () => createSyncStore(pool, randomUUID());
  const checks = [...submissionStoreChecks(submissions, submissions), ...syncStoreChecks(copy, job)];
  expect(checks.length).toBeGreaterThan(10);
  for (const { run } of checks) await run();

  const client = exported<PartnerClient>(program, 'client');
  const submission = {
    jobId: 'job_01k2f7',
    candidate: { firstName: 'Ada\u0000', lastName: 'Reyes', email: 'ada@example.com', phone: '+17755550123' },
    consentToContact: true,
    // The service refuses both. The store must keep them anyway, however long they are.
    sourceApplicationId: 'ats-'.padEnd(4_000, '\u0000x'),
  } as const;
  await expect(client.applications.submit(submission)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(await collect(client.applications.resumePending())).toEqual([]);
});
