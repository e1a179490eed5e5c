/** The client on a failing network and an API that fails at random. */
import { createPartnerClient, type Submitted } from '@partner-hiring/client';
import type { HttpReply } from '@partner-hiring/core';
import { startTcpProxy, type TcpProxy } from '@partner-hiring/test-support/network/tcp-proxy';
import { BASE_PATH } from '@partner-hiring/test-support/partner';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applicant } from './stage/applicant.js';
import { createHastyClock } from './stage/hasty-clock.js';
import { report, sized } from './stage/size.js';
import { DISCARD, openWatchedApi, plantedError, type WatchedApi } from './stage/watched-api.js';

let api: WatchedApi;
let proxy: TcpProxy;
beforeEach(async () => {
  api = await openWatchedApi();
  proxy = await startTcpProxy({ host: '127.0.0.1', port: api.port });
});
afterEach(async () => {
  await proxy.close();
  await api.close();
});

function openClient(changes: { readonly timeoutMs?: number } = {}) {
  return createPartnerClient({
    baseUrl: `http://127.0.0.1:${proxy.port}${BASE_PATH}`,
    apiKey: api.apiKey,
    clock: createHastyClock(),
    // Twenty real seconds and twenty real minutes.
    timeoutMs: 600_000,
    totalTimeoutMs: 36_000_000,
    maxAttempts: 1_000,
    ...changes,
  });
}

/** Idempotency keys alone prevent duplicates. */
async function expectEachOnce(ids: readonly string[]): Promise<void> {
  expect([...(await api.stored())].sort()).toEqual([...ids].sort());
  expect(api.answers.filter(({ status }) => status === 409)).toEqual([]);
}

const CUTS: readonly (readonly [string, (id: string) => void, Submitted['outcome']])[] = [
  ['before the request is sent', (id) => proxy.cutWithin(id, 0), 'created'],
  ['in the middle of the request', (id) => proxy.cutWithin(id, 0.7), 'created'],
  ['after the answer, of which nothing arrives', (id) => proxy.cutAfter(id), 'replayed'],
  ['in the head of the answer', (id) => proxy.cutAfter(id, 0.3), 'replayed'],
  ['in the body of the answer', (id) => proxy.cutAfter(id, 0.95), 'replayed'],
];

const EACH = sized(50, 5);

describe(`a cut connection, ${EACH} times each`, () => {
  it.each(CUTS)('%s', async (_, cut, outcome) => {
    const client = openClient();
    const ids = Array.from({ length: EACH }, (__, index) => `ats-${index}-end`);
    for (const id of ids) {
      cut(`"${id}"`);
      expect(await client.applications.submit(applicant(api.jobId, id))).toMatchObject({ outcome });
    }
    await expectEachOnce(ids);
    expect(api.answers.filter(({ isReplay }) => isReplay)).toHaveLength(outcome === 'replayed' ? EACH : 0);
  });

  it.each([
    ['with the request', 'with_it', 'created'],
    ['with the answer', 'the_answer', 'replayed'],
  ] as const)('ends a silent request by its timeout: %s', async (_, what, outcome) => {
    // Half a real second.
    const client = openClient({ timeoutMs: 15_000 });
    proxy.swallowAt('"ats-1"', what);
    expect(await client.applications.submit(applicant(api.jobId, 'ats-1'))).toMatchObject({ outcome });
    await expectEachOnce(['ats-1']);
  });
});

const CANDIDATES = sized(1_000, 80);
/** Hits every stage of a request, and lets some through. */
const CUT_EVERY_MS = 200;
/** Failures at the API per 100 requests. */
const MISFORTUNES: readonly {
  readonly share: number;
  readonly when: 'before' | 'after';
  readonly reply: () => HttpReply;
}[] = [
  { share: 5, when: 'before', reply: () => plantedError(503, { error: 'SERVICE_UNAVAILABLE' }, 1) },
  { share: 5, when: 'after', reply: () => plantedError(503, { error: 'SERVICE_UNAVAILABLE' }, 1) },
  { share: 3, when: 'after', reply: () => plantedError(500, { error: 'INTERNAL_ERROR' }, 0) },
  { share: 3, when: 'before', reply: () => throttled({ scope: 'partner' }) },
  {
    share: 5,
    when: 'before',
    reply: () => throttled({ scope: 'partner_company', companyId: api.companyId }),
  },
  {
    share: 3,
    when: 'after',
    reply: () => ({ status: 502, headers: {}, body: '<h1>Bad gateway</h1>', discard: DISCARD }),
  },
  {
    share: 3,
    when: 'after',
    reply: () => ({ status: 200, headers: {}, body: '<h1>Log in</h1>', discard: DISCARD }),
  },
];

function throttled(scope: Readonly<Record<string, string>>): HttpReply {
  return plantedError(429, { error: 'RATE_LIMITED', retryAfter: 3, ...scope }, 3);
}

function misfortune(when: 'before' | 'after'): HttpReply | null {
  let left = Math.random() * 100;
  for (const { share, when: at, reply } of MISFORTUNES) {
    left -= share;
    if (left < 0) return at === when ? reply() : null;
  }
  return null;
}

it(`submits ${CANDIDATES} candidates once despite 429, 500, 502, 503 and cut connections`, async () => {
  let planted = 0;
  const count = (reply: HttpReply | null) => {
    if (reply !== null) planted += 1;
    return reply;
  };
  api.meddle({
    before: async () => count(misfortune('before')),
    after: async (_, reply) => count(misfortune('after')) ?? reply,
  });
  let cuts = 0;
  const cutter = setInterval(() => {
    if (proxy.openConnections() > 0) cuts += 1;
    proxy.cut();
  }, CUT_EVERY_MS);
  const ids = Array.from({ length: CANDIDATES }, (_, index) => `ats-${index}`);
  const client = openClient();
  try {
    const submitted = await Promise.all(
      ids.map((id) => client.applications.submit(applicant(api.jobId, id))),
    );
    expect(new Set(submitted.map(({ application }) => application.id)).size).toBe(CANDIDATES);
  } finally {
    clearInterval(cutter);
  }
  await expectEachOnce(ids);
  const replays = api.answers.filter(({ isReplay }) => isReplay).length;
  expect(Math.min(planted, cuts, replays)).toBeGreaterThan(0);
  report(
    'A client on a failing network',
    `${CANDIDATES} candidates, ${planted} planted errors, ${cuts} cuts: ${replays} replays, 0 lost, 0 doubled`,
  );
}, 120_000);
