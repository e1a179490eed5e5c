import { KEY, RATES } from '@partner-hiring/test-support/client/fake-partner-api';
import { createFakeClock, type FakeClock, settle } from '@partner-hiring/test-support/clock';
import { beforeEach, expect, it } from 'vitest';
import { IDEMPOTENCY_WAIT_MS } from '../../domain/idempotency.js';
import type { PartnerApi, SubmitCall, SubmitOutcome } from '../partner-api.js';
import { createSubmitApplication, type SubmitApplicationDeps } from './create-submit-application.js';

const CREATED: SubmitOutcome = { kind: 'created', reply: { status: 201, body: '{}' }, rate: RATES.submitted };
const call = (idempotencyKey: string, keyId: SubmitCall['key']['id'] = KEY.id) =>
  ({ key: { ...KEY, id: keyId }, idempotencyKey, parsed: { kind: 'invalid' } }) as unknown as SubmitCall;

let clock: FakeClock;
let submit: PartnerApi['submitApplication'];
/** How many submissions went together, batch after batch. */
let batches: number[];
let end: (outcome: SubmitOutcome) => void;
let isAllowed: boolean;

/** A storage whose batches end when they are told to. */
beforeEach(() => {
  clock = createFakeClock();
  batches = [];
  isAllowed = true;
  submit = createSubmitApplication({
    runtime: { clock },
    storageClock: { sync: async () => clock.now() },
    storage: {
      transaction: () =>
        new Promise((resolve) => {
          const size = batches.at(-1) ?? 0;
          end = (outcome) => resolve(Array(size).fill(outcome) as never);
        }),
    },
    chargeGuard: (async () => ({ allowed: isAllowed, state: RATES.guard })) as PartnerApi['chargeGuard'],
    onBatch: (size: number) => batches.push(size),
    onResumeSubmitted: () => {},
  } as unknown as SubmitApplicationDeps);
});

it.each([
  ['IDEMPOTENCY_KEY_IN_PROGRESS', true],
  ['RATE_LIMITED', false],
] as const)(
  'who waits too long for the turn of a key is refused as %s, counted in the guard',
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

it('two keys with one idempotency key do not wait for each other', async () => {
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
  'after %s, those that wait for the key go on: one alone, or all as replays',
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
