import type { Answer, ProbeRequest } from '@partner-hiring/core/probes';
import { expect, test } from 'vitest';
import { readOptions } from './options.js';
import { runChecks } from './run-checks.js';

const TAKEN: Answer = { kind: 'answered', status: 204, excerpt: '', tookMs: 1 };
const REFUSED: Answer = { ...TAKEN, status: 400 };
const EVENTS = ['application_status_changed', 'job_opened', 'job_closed'];
const MISREADINGS = [
  'secret_without_prefix',
  'secret_decoded',
  'secret_with_line_break',
  'secret_with_space',
  'secret_in_quotes',
];

/** Runs the checks on a receiver with these responses; `nth` counts deliveries from 1. */
async function run(answer: (delivery: ProbeRequest, nth: number) => Answer) {
  let sent = 0;
  const told: string[] = [];
  const send = async (delivery: ProbeRequest) => {
    sent += 1;
    return answer(delivery, sent);
  };
  const settings = readOptions({
    url: 'http://localhost:3000/hook',
    secret: `whsec_${'A'.repeat(43)}`,
    onCheck: ({ name }) => told.push(name),
  });
  const results = await runChecks(settings, {
    secrets: settings.secrets,
    oldSecrets: [],
    sign: async (body, { secrets = settings.secrets } = {}) => ({
      body,
      signature: `by ${secrets}`,
      timestamp: '0',
    }),
    send,
    sendSlowly: send,
  });
  expect(told).toEqual(results.map(({ name }) => name));
  const made = results.filter(({ verdict }) => verdict !== 'skipped').map(({ name }) => name);
  return { results, made, sent };
}

const failed = (code: string): Answer => ({ kind: 'failed', code, tookMs: 1 });

test('throws only when the first delivery fails to connect', async () => {
  await expect(run(() => failed('ECONNREFUSED'))).rejects.toMatchObject({ code: 'RECEIVER_UNREACHABLE' });
  const { results } = await run((_, nth) => (nth === 2 ? failed('ECONNRESET') : TAKEN));
  expect(results[1]).toMatchObject({ name: 'job_opened', verdict: 'failed' });
});

test.each<[string, Answer]>([
  ['redirects', { ...TAKEN, status: 302 }],
  ['throttles', { ...TAKEN, status: 429 }],
  ['answers_too_late', { kind: 'timed_out', tookMs: 30_000 }],
])('stops after a receiver %s', async (finding, answer) => {
  const { results, made, sent } = await run(() => answer);
  expect([made, sent, results[0]?.finding]).toEqual([[EVENTS[0]], 1, finding]);
  expect(results.length).toBeGreaterThan(30);
  expect(results.map(({ name }) => name)).not.toContain(MISREADINGS[0]);
});

test('stops when the receiver goes away', async () => {
  const { results, sent } = await run((_, nth) => (nth < 6 ? TAKEN : failed('ECONNREFUSED')));
  expect(results.find(({ finding }) => finding === 'went_away')).toBeDefined();
  expect(sent).toBe(6);
});

test('runs only the secret checks when nothing is accepted', async () => {
  const { results, made } = await run(() => REFUSED);
  expect(made).toEqual([...EVENTS, 'wrong_secret', ...MISREADINGS]);
  const names = results.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('skips the secret checks when any secret is accepted', async () => {
  const { made } = await run((_, nth) => (nth <= 3 ? REFUSED : TAKEN));
  expect(made).toEqual([...EVENTS, 'wrong_secret']);
});

test('skips a check that an earlier one has made pointless', async () => {
  const { results } = await run(({ body }) => (body.includes('job.opened') ? REFUSED : TAKEN));
  const verdicts = new Map(results.map(({ name, verdict }) => [name, verdict]));
  expect(
    ['other_scripts', 'longest_title', 'rejected_without_source_id'].map((name) => verdicts.get(name)),
  ).toEqual(['skipped', 'skipped', 'passed']);
});

test('continues after a delivery that was rejected by failing', async () => {
  const { results, made } = await run((_, nth) => (nth <= 3 ? REFUSED : { ...REFUSED, status: 500 }));
  const wrong = results.find(({ name }) => name === 'wrong_secret');
  expect(wrong).toMatchObject({ verdict: 'warned', finding: 'fails_instead_of_refusing' });
  expect(made).toEqual([...EVENTS, 'wrong_secret', ...MISREADINGS]);
});
