/** A partner's process that gives up or replaces submissions, and kills itself at a step of its store or of a request. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createPartnerClient } from '@partner-hiring/client';
import { createFileSubmissionStore } from '@partner-hiring/client/file-store';
import { applicant } from './stage/applicant.js';
import type { StepAct, StepOrders } from './stage/step-orders.js';

process.on('disconnect', () => process.exit());

const { baseUrl, apiKey, jobId, folder, killAt } = JSON.parse(process.argv[2] ?? '') as StepOrders;
let steps = Number.NEGATIVE_INFINITY;

function step(): void {
  steps += 1;
  if (steps === killAt) process.kill(process.pid, 'SIGKILL');
}

/** Counts each change of the disk and each read, before it begins. */
function watchDisk(): void {
  const { promises } = fs;
  for (const name of ['link', 'open', 'readFile', 'rename', 'rm'] as const) {
    const real = promises[name] as (...given: readonly unknown[]) => Promise<unknown>;
    Object.assign(promises, {
      [name]: (...given: readonly unknown[]) => {
        step();
        return real(...given);
      },
    });
  }
  syncBuiltinESMExports();
}

/** Counts each request twice: before it is sent, and when the service has answered. */
const watchedFetch: typeof fetch = async (...given) => {
  step();
  const response = await fetch(...given);
  step();
  return response;
};

watchDisk();
const { applications } = createPartnerClient({
  baseUrl,
  apiKey,
  maxAttempts: 1,
  fetch: watchedFetch,
  submissions: await createFileSubmissionStore(folder),
});

async function run({ kind, id }: StepAct): Promise<string> {
  if (kind === 'abandon') return (await applications.abandon(id)).kind;
  const replace = kind === 'replace';
  const submission = applicant(jobId, id, replace ? 'Grace' : 'Ada');
  return (await applications.submit(submission, { replace })).outcome;
}

function describe({ name, message, code }: Error & { readonly code?: string }): string {
  return code ?? (name === 'Error' ? message : name);
}

process.on('message', async (act: StepAct) => {
  steps = 0;
  const ended = await run(act).catch(describe);
  process.send?.({ ended });
});
process.send?.({ pid: process.pid });
