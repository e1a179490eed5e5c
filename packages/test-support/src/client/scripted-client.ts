import {
  type ClientOptions,
  createPartnerClient,
  type Fetch,
  type FetchResponse,
  type Job,
} from '../../../client/src/index.js';

/** A key of the sandbox. */
export const KEY = `pek_test_${'k'.repeat(49)}`;
/** Where the API is. */
export const BASE = 'https://api.example.org/api/v1/external';

/** Sleeps last no time: what is waited for is written down. */
export function instantClock() {
  let now = Date.parse('2026-11-21T10:00:00.000Z');
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      // Time-outs and deadlines are cut short by their signal; pauses are not.
      const isCut = () => signal?.aborted === true;
      if (!isCut()) {
        await new Promise<void>((resolve) => {
          setTimeout(resolve, 2);
          signal?.addEventListener('abort', () => resolve());
        });
      }
      if (isCut()) return;
      slept.push(ms);
      now += ms;
    },
  };
}

/** An answer of the API: JSON, or a text as it is. */
export function reply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FetchResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: new Headers(headers), text: async () => text };
}

/** The answer to who reads an application. */
export const FOUND = reply(200, { id: 'ej_app_1', jobId: 'job_1' });

/** A client whose requests a test answers, without pauses. */
export function clientOf(fetch: Fetch, options: Partial<ClientOptions> = {}) {
  return createPartnerClient({
    baseUrl: BASE,
    apiKey: KEY,
    fetch,
    clock: instantClock(),
    random: () => 0,
    ...options,
  });
}

/** All rows, from the first page to the last. */
export async function all<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

/** As far as a sync looks at one. */
export const job = (id: string, updatedAt = '2026-11-21T09:00:00.000Z') =>
  ({ id, company: { id: 'co_1', name: 'One' }, updatedAt }) as Job;

/** A candidate for a job. */
export const SUBMISSION = {
  jobId: 'job_1',
  candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' },
  consentToContact: true,
  sourceApplicationId: 'ats-1',
} as const;
