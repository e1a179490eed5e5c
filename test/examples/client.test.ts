/** The client against the example server: the faults of a network, and a restart. */
import { createPartnerClient, type PartnerClient, SubmissionPendingError } from '@partner-hiring/client';
import { createFileSubmissionStore } from '@partner-hiring/client/file-store';
import { startTcpProxy } from '@partner-hiring/test-support/network/tcp-proxy';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startExampleServer } from './example-server.js';
import { temporaryFolder } from './temporary-folder.js';

const CHILDREN_MS = 90_000;

function applicant(sourceApplicationId: string) {
  return {
    jobId: 'job_harbor_picker',
    candidate: { firstName: 'Ada', lastName: 'Reyes', email: 'ada@example.com', phone: '+1 775 555 0123' },
    consentToContact: true,
    sourceApplicationId,
  } as const;
}

/** Whose applications the service has, in order. */
async function sourceIds({ applications }: PartnerClient): Promise<readonly (string | null)[]> {
  const stored: (string | null)[] = [];
  for await (const { sourceApplicationId } of applications.list()) stored.push(sourceApplicationId);
  return stored.sort();
}

describe('the client against the example server', { timeout: CHILDREN_MS }, () => {
  test('submits each candidate once: connections cut at each stage, a server that restarts, a new process', async () => {
    const server = await startExampleServer();
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port });
    onTestFinished(() => proxy.close());
    const folder = await temporaryFolder();
    const open = async () =>
      createPartnerClient({
        baseUrl: server.baseUrl.replace(`:${server.port}/`, `:${proxy.port}/`),
        apiKey: server.apiKey,
        submissions: await createFileSubmissionStore(folder),
        timeoutMs: 2_000,
        maxAttempts: 20,
      });
    const { applications } = await open();
    const outcomes: string[] = [];
    const submit = async (id: string) => {
      outcomes.push((await applications.submit(applicant(id))).outcome);
    };

    proxy.cutWithin('"ats-1"', 0);
    await submit('ats-1');
    proxy.cutWithin('"ats-2"', 0.5);
    await submit('ats-2');
    proxy.cutAfter('"ats-3"');
    await submit('ats-3');
    proxy.cutAfter('"ats-4"', 0.9);
    await submit('ats-4');
    await Promise.all([server.restart(), ...['ats-5', 'ats-6'].map(submit)]);
    expect(outcomes.slice(0, 4)).toEqual(['created', 'created', 'replayed', 'replayed']);

    // This process ends while the answer is on its way; the next one goes on.
    const ending = new AbortController();
    proxy.swallowAt('"ats-7"', 'the_answer');
    const unfinished = applications.submit(applicant('ats-7'), { signal: ending.signal });
    setTimeout(() => ending.abort(), 300);
    await expect(unfinished).rejects.toThrow();
    const next = await open();
    expect(await next.applications.resumePending()).toMatchObject([
      { kind: 'submitted', sourceApplicationId: 'ats-7', submitted: { outcome: 'replayed' } },
    ]);

    expect(await sourceIds(next)).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `ats-${number}`));
  });

  test('submits once what is answered 503 or 429, recorded or not', async () => {
    const { baseUrl, sandboxKey } = await startExampleServer();
    const open = (limits = {}) => createPartnerClient({ baseUrl, apiKey: sandboxKey, ...limits });
    const client = open();
    const jobs: string[] = [];
    for await (const { id } of client.jobs.list()) jobs.push(id);
    const jobId = jobs.find((id) => id.startsWith('job_sandbox_open_')) ?? '';
    const submitTo = ({ applications }: PartnerClient, name: string) =>
      applications.submit({
        ...applicant(name),
        jobId,
        candidate: { ...applicant(name).candidate, email: `${name}@sandbox.example` },
      });

    // The candidate is recorded, and the answer lost.
    expect(await submitTo(client, 'lost-reply')).toMatchObject({ outcome: 'replayed' });
    const hasty = open({ totalTimeoutMs: 3_000 });
    for (const name of ['unavailable', 'rate-limited']) {
      await expect(submitTo(hasty, name), name).rejects.toThrow(SubmissionPendingError);
    }
    expect(await sourceIds(client)).toEqual(['lost-reply']);
  });
});
