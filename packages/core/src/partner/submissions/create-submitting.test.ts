import { beforeEach, expect, it } from 'vitest';
import { KEY, RATES } from '../../../../../test/support/client/fake-partner-api.js';
import { createFakeClock, type FakeClock, settle } from '../../../../../test/support/clock.js';
import { IDEMPOTENCY_WAIT_MS } from '../../domain/idempotency.js';
import { createSecret, describeSecret, hashSecret } from '../../domain/partner-key.js';
import { createCallers } from '../callers.js';
import type { PartnerApi, SubmitCall, SubmitOutcome } from '../partner-api.js';
import { createSubmitting, type SubmittingDeps } from './create-submitting.js';

const CREATED: SubmitOutcome = { kind: 'created', reply: { status: 201, body: '{}' }, rate: RATES.submitted };
const call = (idempotencyKey: string, keyId: SubmitCall['key']['id'] = KEY.id) =>
  ({ key: { ...KEY, id: keyId }, idempotencyKey, parsed: { kind: 'invalid' } }) as unknown as SubmitCall;

let clock: FakeClock;
let submitting: ReturnType<typeof createSubmitting>;
/** How many submissions went together, batch after batch. */
let batches: number[];
let end: (outcome: SubmitOutcome) => void;
let isAllowed: boolean;
const callers = createCallers();

/** A storage that takes steps, and whose batches end when they are told to. */
beforeEach(() => {
  clock = createFakeClock();
  batches = [];
  isAllowed = true;
  submitting = createSubmitting({
    runtime: { clock },
    storage: {
      addPresumed: async () => null,
      transaction: () =>
        new Promise((resolve) => {
          const size = batches.at(-1) ?? 0;
          end = (outcome) => resolve({ outcomes: Array(size).fill(outcome), accepted: [] } as never);
        }),
    },
    callers,
    chargeGuard: (async () => ({ allowed: isAllowed, state: RATES.guard })) as PartnerApi['chargeGuard'],
    onBatch: (size: number) => batches.push(size),
    onResumeSubmitted: () => {},
  } as unknown as SubmittingDeps);
});

it.each([
  ['IDEMPOTENCY_KEY_IN_PROGRESS', true],
  ['RATE_LIMITED', false],
] as const)(
  'who waits too long for the turn of a key is refused as %s, counted in the guard',
  async (code, allowed) => {
    isAllowed = allowed;
    const first = submitting.submitApplication(call('a'));
    const second = submitting.submitApplication(call('a'));
    await settle();
    await clock.advance(IDEMPOTENCY_WAIT_MS);
    expect(await second).toEqual({ kind: 'refused', error: { code }, rate: RATES.guard });
    expect(batches).toEqual([1]);
    end(CREATED);
    expect(await first).toEqual(CREATED);
  },
);

it('two keys with one idempotency key do not wait for each other', async () => {
  const both = Promise.all([
    submitting.submitApplication(call('a', 'key_1')),
    submitting.submitApplication(call('a', 'key_2')),
  ]);
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
    const calls = Promise.all(['a', 'a', 'a'].map((key) => submitting.submitApplication(call(key))));
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

/** Remembers a secret; answers whether the key that presents it is presumed. */
function rememberSecret(expiresAt: number | null = null) {
  const secret = createSecret('production', new Uint8Array(32));
  const described = describeSecret(KEY.id, 'production', secret, clock.now());
  callers.learn(hashSecret(secret), {
    key: KEY,
    secret: { ...described, lastUsedAt: clock.now(), expiresAt },
  });
  return () => submitting.presume([`Bearer ${secret}`]) !== null;
}

it('a secret that has ended is not presumed: no body is read for it', () => {
  expect(rememberSecret()()).toBe(true);
  expect(rememberSecret(clock.now())()).toBe(false);
});

it('nobody is presumed while a submission is under way, nor after several went together', async () => {
  const isPresumed = rememberSecret();
  const alone = submitting.submitApplication(call('a'));
  expect(isPresumed()).toBe(false);
  await settle();
  end(CREATED);
  await alone;
  expect(isPresumed()).toBe(true);
  const together = Promise.all(['a', 'b'].map((key) => submitting.submitApplication(call(key))));
  await settle();
  end(CREATED);
  await together;
  expect(isPresumed()).toBe(false);
});
