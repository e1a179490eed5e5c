import { KEY, RATES } from '@partner-hiring/test-support/client/fake-partner-api';
import { createFakeClock, type FakeClock, settle } from '@partner-hiring/test-support/clock';
import { beforeEach, expect, it } from 'vitest';
import { IDEMPOTENCY_WAIT_MS } from '../domain/idempotency.js';
import { StorageUnavailable } from '../errors.js';
import type { PartnerApi, SubmitCall, SubmitOutcome } from './partner-api.js';
import { BatchConflict } from './submit-commit.js';
import { createSubmitApplication, type SubmitQueueDeps } from './submit-queue.js';

const CREATED: SubmitOutcome = {
  kind: 'created',
  applicationId: 'ej_app_1',
  reply: { status: 201, body: '{}' },
  rate: RATES.submitted,
};
const call = (idempotencyKey: string, keyId: SubmitCall['key']['id'] = KEY.id) =>
  ({ key: { ...KEY, id: keyId }, idempotencyKey, parsed: { kind: 'invalid' } }) as unknown as SubmitCall;

let clock: FakeClock;
let submit: PartnerApi['submitApplication'];
let batches: number[];
let submitted: SubmitCall[];
let end: (outcome: SubmitOutcome) => void;
let isAllowed: boolean;

beforeEach(() => {
  clock = createFakeClock();
  batches = [];
  submitted = [];
  isAllowed = true;
  const submitApplication = createSubmitApplication({
    runtime: { clock },
    storageClock: { sync: async () => clock.now() },
    storage: {
      transaction: () =>
        new Promise((resolve) => {
          const calls = submitted.splice(0, batches.at(-1));
          end = (outcome) => resolve(new Map(calls.map((call) => [call, outcome])) as never);
        }),
    },
    chargeGuard: (async () => ({ allowed: isAllowed, state: RATES.guard })) as PartnerApi['chargeGuard'],
    onBatch: (size: number) => batches.push(size),
    onResumeSubmitted: () => {},
  } as unknown as SubmitQueueDeps);
  submit = (call) => {
    submitted.push(call);
    return submitApplication(call);
  };
});

it.each([
  ['IDEMPOTENCY_KEY_IN_PROGRESS', true],
  ['RATE_LIMITED', false],
] as const)(
  'refuses a call whose wait for the idempotency key times out as %s, counted in the guard',
  async (code, allowed) => {
    isAllowed = allowed;
    const first = submit(call('a'));
    const second = submit(call('a'));
    await settle();
    await clock.advance(IDEMPOTENCY_WAIT_MS);
    expect(await second).toEqual({ kind: 'refused', error: { code }, rate: RATES.guard });
    expect(batches).toEqual([1]);
    end(CREATED);
    expect(await first).toEqual(CREATED);
  },
);

it('runs calls of two keys with the same idempotency key together', async () => {
  const both = Promise.all([submit(call('a', 'key_1')), submit(call('a', 'key_2'))]);
  await settle();
  expect(batches).toEqual([2]);
  end(CREATED);
  expect(await both).toEqual([CREATED, CREATED]);
});

it.each([
  ['a refusal', { kind: 'refused', error: { code: 'JOB_CLOSED' }, rate: RATES.submitted }, [1, 1]],
  ['an acceptance', CREATED, [1, 2]],
] as const)(
  'after %s, runs the next waiting call, or all of them as replays',
  async (_, outcome, expected) => {
    const calls = Promise.all(['a', 'a', 'a'].map((key) => submit(call(key))));
    await settle();
    end(outcome);
    await settle();
    expect(batches).toEqual(expected);
    end(CREATED);
    await settle();
    end(CREATED);
    expect((await calls).map(({ kind }) => kind)).toEqual([outcome.kind, 'created', 'created']);
  },
);

async function brokenBy(failure: Error): Promise<readonly unknown[]> {
  const broken: unknown[] = [];
  const failing = createSubmitApplication({
    runtime: { clock: createFakeClock() },
    storageClock: { sync: async () => 0 },
    storage: { transaction: () => Promise.reject(failure) },
    onBatch: () => {},
    onBroken: (size: number, err: unknown) => broken.push([size, err]),
  } as unknown as SubmitQueueDeps);
  await Promise.allSettled(['a', 'b'].map((each) => failing(call(each))));
  return broken;
}

it('reports a batch that fails as a whole, except after conflicts and outages', async () => {
  const failure = new Error('a trigger of the host’s');
  expect(await brokenBy(failure)).toEqual([[2, failure]]);
  expect(await brokenBy(new BatchConflict())).toEqual([]);
  expect(await brokenBy(new StorageUnavailable('down'))).toEqual([]);
});
