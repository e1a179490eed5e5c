/** One worker with all misbehaving receivers at once. Contract: 12. */

import type { Behaviour, ExpectedEnd } from '@partner-hiring/test-support/faulty-receiver/behaviour';
import { BEHAVIOURS } from '@partner-hiring/test-support/faulty-receiver/behaviours';
import {
  type FaultyReceiver,
  startFaultyReceiver,
} from '@partner-hiring/test-support/faulty-receiver/receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSafeTransport } from '../../packages/core/src/defaults/safe-transport.js';
import type { AttemptOutcome } from '../../packages/core/src/domain/delivery.js';
import type { EventId, KeyId } from '../../packages/core/src/domain/ids.js';
import { ATTEMPT_DELAYS_MS } from '../../packages/core/src/domain/retry-schedule.js';
import { openStage, type Stage } from '../scenarios/worker/stage.js';

const IS_FULL = process.env.FAULTS === 'full';
/** Hanging attempts take their whole deadline, so a short run makes three of the ten. */
const ROUNDS = IS_FULL ? ATTEMPT_DELAYS_MS.length : 3;
/** The deadline for hanging receivers. The others have the default of 30 s. */
const SHORT_MS = 1_000;
/** The deadline for receivers whose status must arrive before it, on a busy machine. */
const SLOW_MS = 5_000;
const HEALTHY_EVENTS = 200;

interface Story {
  readonly keyId: KeyId;
  readonly eventId: EventId;
  readonly outcomes: AttemptOutcome[];
}

const stories = new Map<Behaviour, Story>();
const healthy = BEHAVIOURS.find(({ name }) => name === 'has TLS in order');
let stage: Stage;
let receiver: FaultyReceiver;
/** How often the test resumed each endpoint. */
const resumptions = new Map<KeyId, number>();

beforeAll(async () => {
  stage = await openStage();
  receiver = await startFaultyReceiver(BEHAVIOURS);
  const network = { allowPrivateNetworks: true, resolve: async () => ['127.0.0.1'], ca: receiver.ca };
  const unhurried = createSafeTransport(network);
  const hasty = createSafeTransport({ ...network, timeoutMs: SHORT_MS });
  const patient = createSafeTransport({ ...network, timeoutMs: SLOW_MS });
  const transports = new Map([
    ...BEHAVIOURS.filter(hangs).map((one) => [receiver.urlOf(one), hasty] as const),
    ...BEHAVIOURS.filter(isSlow).map((one) => [receiver.urlOf(one), patient] as const),
  ]);
  const byUrl = new Map<string, AttemptOutcome[]>();
  const worker = stage.worker({
    transport: {
      ...unhurried,
      async post(request) {
        const outcome = await (transports.get(request.url) ?? unhurried).post(request);
        byUrl.get(request.url)?.push(outcome);
        return outcome;
      },
    },
  });
  for (const behaviour of BEHAVIOURS) {
    const url = receiver.urlOf(behaviour);
    const keyId = await stage.key({ url });
    const [event] = await stage.record(keyId, behaviour === healthy ? HEALTHY_EVENTS : 1);
    const outcomes: AttemptOutcome[] = [];
    byUrl.set(url, outcomes);
    stories.set(behaviour, { keyId, eventId: event?.id ?? 'evt_', outcomes });
  }
  for (const delay of ATTEMPT_DELAYS_MS.slice(0, ROUNDS)) {
    await resumeThoseInTheDark();
    await stage.clock.advance(delay);
    await worker.drain();
  }
  await Promise.all([unhurried, hasty, patient].map((transport) => transport.close()));
}, 240_000);
afterAll(async () => {
  await receiver.close();
  await stage.close();
});

async function resumeThoseInTheDark(): Promise<void> {
  for (const { keyId } of stories.values()) {
    const { state } = await stage.endpoint(keyId);
    if (state.kind !== 'paused' || state.reason !== 'no_success') continue;
    await stage.resume(keyId);
    resumptions.set(keyId, (resumptions.get(keyId) ?? 0) + 1);
  }
}

describe.each(BEHAVIOURS)('a receiver that $name', (behaviour) => {
  const ends = expectedEnds(behaviour);

  it(`gets ${ends.length} attempts with the expected outcomes`, () => {
    const { outcomes } = storyOf(behaviour);
    expect(outcomes).toHaveLength(behaviour === healthy ? HEALTHY_EVENTS : ends.length);
    for (const [index, end] of ends.entries()) expectEnd(outcomes[index], end);
  });

  it('has the expected delivery, endpoint and alerts', async () => {
    const { keyId, eventId, outcomes } = storyOf(behaviour);
    const row = await stage.delivery(keyId, eventId);
    const { state, health } = await stage.endpoint(keyId);
    const alerts = stage.alerts
      .filter((alert) => 'keyId' in alert && alert.keyId === keyId)
      .map(({ kind }) => kind);
    // As it is stored, without fields that are undefined.
    const last: unknown = JSON.parse(JSON.stringify(outcomes.at(-1)));
    if (isSuccess(ends.at(-1))) {
      if (ends.length === 1 && !isOdd(ends[0])) expect(row).toBeNull();
      else expect(row).toMatchObject({ state: 'delivered', attempts: ends.length, dueAt: null });
      expect(health).toMatchObject({ consecutiveFailures: 0, firstFailureAt: null });
      expect([state.kind, alerts]).toEqual(['active', []]);
    } else if (isGone(ends[0])) {
      expect(row).toMatchObject({ state: 'pending', attempts: 1, lastOutcome: last });
      expect([state, alerts]).toMatchObject([{ kind: 'paused', reason: 'gone' }, ['endpoint_paused']]);
    } else {
      const isDead = ends.length === ATTEMPT_DELAYS_MS.length;
      const stands = { state: isDead ? 'dead' : 'pending', attempts: ends.length, lastOutcome: last };
      expect(row).toMatchObject(stands);
      const pauses = Number(state.kind === 'paused') + (resumptions.get(keyId) ?? 0);
      const dead = isDead ? ['delivery_dead'] : [];
      // The host is warned after an hour of failures and before the pause, and again after the endpoint was resumed.
      const warnings = Array(2 * pauses).fill('endpoint_failing');
      expect(alerts.toSorted()).toEqual([...dead, ...warnings, ...Array(pauses).fill('endpoint_paused')]);
      expect(pauses).toBe(isDead ? 2 : 0);
    }
  });

  it('gets one request per attempt', () => {
    const { outcomes } = storyOf(behaviour);
    expect(receiver.requestsTo(behaviour).length).toBeLessThanOrEqual(outcomes.length);
    for (const { head } of receiver.requestsTo(behaviour))
      expect(head).toMatch(/^POST \/hooks HTTP\/1\.1\r\n/);
  });
});

it('sends every event once to a working receiver', () => {
  if (healthy === undefined) throw new Error('The working receiver is missing.');
  const ids = receiver.requestsTo(healthy).map(({ body }) => (JSON.parse(body) as { id: string }).id);
  expect(ids).toHaveLength(HEALTHY_EVENTS);
  expect(new Set(ids).size).toBe(HEALTHY_EVENTS);
});

it('follows no redirect', () => {
  expect(receiver.canaryConnections()).toBe(0);
});

it('leaves no connection open after the transport is closed', async () => {
  await expect.poll(() => receiver.openConnections()).toBe(0);
});

it('logs no error', () => {
  expect(stage.errors).toEqual([]);
});

function storyOf(behaviour: Behaviour): Story {
  const story = stories.get(behaviour);
  if (story === undefined) throw new Error('The test did not run.');
  return story;
}

function expectedEnds({ ends }: Behaviour): readonly ExpectedEnd[] {
  const all = Array.from({ length: ROUNDS }, (_, index) => ends[index] ?? ends.at(-1) ?? ends[0]);
  const last = all.findIndex((end) => isSuccess(end) || isGone(end));
  return last < 0 ? all : all.slice(0, last + 1);
}

function isSuccess(end: ExpectedEnd | undefined): boolean {
  return end?.kind === 'answered' && end.status >= 200 && end.status < 300;
}

function isGone(end: ExpectedEnd | undefined): boolean {
  return end?.kind === 'answered' && end.status === 410;
}

/** Its row says why the answer is odd. */
function isOdd(end: ExpectedEnd | undefined): boolean {
  return end?.kind === 'answered' && end.isOdd === true;
}

/** Whether it ends only by the deadline. */
function hangs({ ends: [end] }: Behaviour): boolean {
  return end.kind === 'failed' && end.failures.includes('timed_out');
}

/** Whether its status counts, but only at the deadline. */
function isSlow({ name, ends: [end] }: Behaviour): boolean {
  return isOdd(end) && name.startsWith('drips');
}

function expectEnd(outcome: AttemptOutcome | undefined, end: ExpectedEnd): void {
  if (end.kind === 'failed') {
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringMatching(/^[ -~]+$/) });
    expect(end.failures).toContain(outcome?.kind === 'failed' ? outcome.failure : null);
    return;
  }
  const excerpt: unknown = typeof end.excerpt === 'string' ? end.excerpt : expect.stringMatching(end.excerpt);
  const { isOdd: _, ...answered } = end;
  const oddAnswer: unknown = isOdd(end) ? expect.stringMatching(/^[ -~]+$/) : undefined;
  expect(outcome).toEqual({ ...answered, excerpt, oddAnswer });
  if (outcome?.kind !== 'answered') return;
  expect(Buffer.byteLength(outcome.excerpt)).toBeLessThanOrEqual(1_024);
  expect(outcome.excerpt).not.toMatch(/[\p{Cc}\p{Bidi_Control}\ufffd]/u);
}
