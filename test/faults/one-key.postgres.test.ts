/** Contract: 7, 8, with two API processes on one PostgreSQL. */
import { tableOf } from '@partner-hiring/test-support/postgres/database';
import { afterAll, expect, it } from 'vitest';
import { freshWindow } from '../conformance/suite/fresh-window.js';
import { type Candidate, newCandidate, submissionOf } from './stage/candidate.js';
import { type Answer, createHttpClient } from './stage/http-client.js';
import { openPlatform, type Tenant } from './stage/platform.js';
import { inWords, median, report, sized } from './stage/size.js';

const KEYS = sized(1_000, 60);
const SUBMISSIONS = sized(50, 20);
/** Contract: 8.1. Replays must not count. */
const LIMIT = 10;
const PARALLEL = 200;
/** The limits of the contract, except for the guard, which counts replays. */
const WITHOUT_GUARD = { guard: 1_000_000 };
/** Concurrent keys. */
const AT_ONCE = 4;

const http = createHttpClient();
const platform = await openPlatform();
const replicas = await Promise.all([platform.startApi(WITHOUT_GUARD), platform.startApi(WITHOUT_GUARD)]);
afterAll(async () => {
  http.close();
  await platform.close();
});

/** Submits concurrently, alternating between the processes. */
function submitToBoth(secret: string, candidates: readonly Candidate[]): Promise<readonly Answer[]> {
  return Promise.all(
    candidates.map(async (candidate, index) => {
      const url = replicas[index % replicas.length]?.url ?? '';
      const answer = await http.send(submissionOf(url, secret, candidate));
      if (answer === null) throw new Error('A replica did not answer.');
      return answer;
    }),
  );
}

const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true';

it(`creates one application and reply per key for ${KEYS} keys submitted ${SUBMISSIONS} times`, async () => {
  const tenants = await platform.tenants(Math.ceil(KEYS / LIMIT));
  const waiting = Array.from({ length: KEYS }, (_, index) => tenants[index % tenants.length] as Tenant);
  const tookMs: number[] = [];
  const emails: string[] = [];

  async function fight(): Promise<void> {
    for (let tenant = waiting.pop(); tenant !== undefined; tenant = waiting.pop()) {
      const candidate = newCandidate(tenant.jobId);
      const startedAt = performance.now();
      const answers = await submitToBoth(
        tenant.secret,
        Array.from({ length: SUBMISSIONS }, () => candidate),
      );
      tookMs.push(performance.now() - startedAt);
      emails.push(candidate.email);
      const replies = [...new Set(answers.map(({ status, text }) => `${status} ${text}`))];
      expect(replies).toEqual([expect.stringMatching(/^201 /)]);
      expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fight));

  const { database } = platform;
  const rows = await database.run(`select email from ${tableOf(database, 'ph_application')}`);
  expect(rows.map(({ email }) => email).sort()).toEqual(emails.sort());
  report(
    'Two API processes, one idempotency key',
    `${KEYS} keys × ${SUBMISSIONS} submissions: ${rows.length} applications, 0 lost, 0 doubled, ` +
      `1 reply and 1 original a key; ${inWords(median(tookMs))} a key`,
  );
}, 600_000);

it(`accepts exactly ${LIMIT} of ${PARALLEL} concurrent submissions`, async () => {
  const [tenant] = await platform.tenants(1);
  if (tenant === undefined) throw new Error('The key is missing.');
  await freshWindow(platform.storage);
  const candidates = Array.from({ length: PARALLEL }, () => newCandidate(tenant.jobId));
  const statuses = (await submitToBoth(tenant.secret, candidates)).map(({ status }) => status);
  const count = (status: number) => statuses.filter((each) => each === status).length;
  expect({ 201: count(201), 429: count(429) }).toEqual({ 201: LIMIT, 429: PARALLEL - LIMIT });
  const { rows } = await applicationsOf(tenant);
  expect(rows).toHaveLength(LIMIT);
  report('Two API processes, one limit', `${PARALLEL} at once: ${count(201)} × 201, ${count(429)} × 429`);
});

async function applicationsOf({ keyId }: Tenant) {
  const { database } = platform;
  const select = `select id from ${tableOf(database, 'ph_application')} where key_id = $1`;
  return { rows: await database.run(select, [keyId]) };
}
