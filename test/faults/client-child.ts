/**
 * A partner's process to be killed. It resumes pending submissions, submits the rest from one object that it uses
 * again, and stores the results.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPartnerClient } from '@partner-hiring/client';
import { createFileSubmissionStore } from '@partner-hiring/client/file-store';
import { collect } from '@partner-hiring/test-support/client/collect';
import { applicant } from './stage/applicant.js';
import type { ClientOrders } from './stage/client-orders.js';
import { createHastyClock } from './stage/hasty-clock.js';

process.on('disconnect', () => process.exit());

const { baseUrl, apiKey, jobId, folder, ids } = JSON.parse(process.argv[2] ?? '') as ClientOrders;
const client = createPartnerClient({
  baseUrl,
  apiKey,
  clock: createHastyClock(),
  submissions: await createFileSubmissionStore(join(folder, 'submissions')),
});
process.send?.({ pid: process.pid });
await collect(client.applications.resumePending());
// One object for all, which changes before the calls have sent it.
const payload = applicant(jobId, '');
const submitting = ids.map((id) => {
  const { candidate, ...rest } = applicant(jobId, id);
  Object.assign(payload, rest);
  Object.assign(payload.candidate, candidate);
  return client.applications.submit(payload);
});
Object.assign(payload.candidate, { email: 'nobody@example.org' });
const submitted = await Promise.all(submitting);
writeFileSync(join(folder, 'done.json'), JSON.stringify(submitted.map(({ application }) => application.id)));
process.exit();
