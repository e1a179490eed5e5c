import {
  type Application,
  type ClientOptions,
  createPartnerClient,
  type Fetch,
  type FetchResponse,
  type Job,
} from '../../../packages/client/src/index.js';

/** A sandbox key. */
export const KEY = `pek_test_${'k'.repeat(49)}`;
/** The base address. */
export const BASE = 'https://api.example.org/api/v1/external';

/** A clock whose sleeps end at once and are recorded. */
export function instantClock() {
  let now = Date.parse('2026-11-21T10:00:00.000Z');
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      // The client ends its timeouts with the signal. So only its pauses run to their end, and only these are recorded.
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

/** A response with JSON or plain text. */
export function reply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FetchResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: new Headers(headers), text: async () => text };
}

/** An application of the job `job_1`. */
export const application = (id: string): Application => ({
  id,
  sourceApplicationId: 'ats-1',
  jobId: 'job_1',
  status: 'received',
  currentStage: 'Initial Outreach',
  submittedAt: '2026-11-21T08:00:00.000Z',
  lastStatusChangeAt: '2026-11-21T09:00:00.000Z',
});

/** A response with an application. */
export const FOUND = reply(200, application('ej_app_1'));

/** A client with a scripted `fetch` and no pauses. */
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

/** Collects all rows. */
export async function all<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

/** A job of the company `co_1`. */
export const job = (id: string, updatedAt = '2026-11-21T09:00:00.000Z'): Job => ({
  id,
  title: 'Line Cook',
  company: { id: 'co_1', name: 'One' },
  location: { city: 'Reno', state: 'NV', country: 'US' },
  compensation: { type: 'hourly', min: 18, max: null, currency: 'USD' },
  schedule: null,
  status: 'open',
  headcount: { total: null, filled: 0 },
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt,
  applicationFormSchema: null,
});

/** A submission. */
export const SUBMISSION = {
  jobId: 'job_1',
  candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' },
  consentToContact: true,
  sourceApplicationId: 'ats-1',
} as const;
