import {
  ERROR,
  GONE,
  OK,
  SAMPLE_ENDPOINT,
  sampleEventAt,
} from '@partner-hiring/test-support/sample-endpoint';
import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, newDelivery } from '../../domain/delivery.js';
import { FRESH_HEALTH, PAUSE_AFTER_FAILURES, type StoredEndpoint } from '../../domain/endpoint.js';
import { WORKER_DEFAULTS } from '../options.js';
import { expectedRecordAt, isLeaseSafe, isPollDue, isRecordDue, renewalAt } from './next-step.js';
import type { QueuedDelivery } from './send-queue.js';
import {
  applyStored,
  beginPoll,
  beginRecord,
  beginRenewal,
  createSenderState,
  endAttempt,
  endPoll,
  endRenewal,
  lostSignal,
  wakePoll,
} from './sender-state.js';

const NOW = 1_750_000_000_000;
const LEASE_MS = 90_000;
const THIRD = LEASE_MS / 3;
const FORMER = 'https://former.example/hooks';
const STORED: StoredEndpoint = {
  ...SAMPLE_ENDPOINT,
  secrets: [
    { sealed: 'sealed:new', createdAt: 0, expiresAt: null },
    { sealed: 'sealed:old', createdAt: 0, expiresAt: NOW + 5 },
  ],
};

function open({ askedAt = NOW, endpoint = STORED, settleEveryMs = 100 } = {}) {
  const options = { ...WORKER_DEFAULTS, leaseMs: LEASE_MS, pollEveryMs: 1_000, settleEveryMs };
  const rules = { options, storageClock: { now: () => NOW }, mayIdle: () => true, isSliceOver: () => false };
  return createSenderState(rules, { endpoint, watermark: 0 }, { token: 'token', askedAt }, NOW);
}

describe('the lease of a sender', () => {
  it('is renewed after a third of it', () => {
    const sender = open();
    expect(renewalAt(sender, NOW)).toBe(NOW + THIRD);
    beginRenewal(sender, NOW + THIRD);
    endRenewal(sender, 'held');
    expect([sender.leaseUntil, renewalAt(sender, NOW + THIRD)]).toEqual([NOW + 4 * THIRD, NOW + 2 * THIRD]);
  });

  it('is renewed at once after the clock was set back, also during the request', () => {
    const sender = open();
    const setBack = NOW - 3_600_000;
    expect(renewalAt(sender, setBack)).toBe(setBack);
    beginRenewal(sender, setBack);
    endRenewal(sender, 'held');
    expect(renewalAt(sender, setBack)).toBe(setBack + THIRD);
    expect(renewalAt(open({ askedAt: NOW + 1 }), NOW)).toBe(NOW);
  });

  it('counts from before the request and from before the renewal', () => {
    const sender = open({ askedAt: NOW - 10_000 });
    expect([sender.leaseUntil, renewalAt(sender, NOW)]).toEqual([
      NOW - 10_000 + LEASE_MS,
      NOW - 10_000 + THIRD,
    ]);
    beginRenewal(sender, NOW + THIRD);
    endRenewal(sender, 'held');
    expect(sender.leaseUntil).toBe(NOW + THIRD + LEASE_MS);
  });

  it('is lost when the storage has another token, which aborts signals created before and after', () => {
    const sender = open();
    const before = lostSignal(sender);
    expect([before.aborted, isLeaseSafe(sender, NOW)]).toEqual([false, true]);
    beginRenewal(sender, NOW);
    endRenewal(sender, 'lost');
    expect([sender.phase, isLeaseSafe(sender, NOW)]).toEqual(['lost', false]);
    expect([before.aborted, lostSignal(sender).aborted]).toEqual([true, true]);
  });

  it('is renewed again soon after a failure, and while another transaction holds the endpoint', () => {
    const sender = open();
    beginRenewal(sender, NOW + THIRD);
    expect(renewalAt(sender, NOW + THIRD)).toBe(NOW + THIRD + 2_000);
    endRenewal(sender, 'busy');
    expect([sender.phase, sender.leaseUntil, renewalAt(sender, NOW + THIRD)]).toEqual([
      'open',
      NOW + LEASE_MS,
      NOW + THIRD + 2_000,
    ]);
  });

  it('is not safe when less than a third is left', () => {
    const sender = open();
    expect([2 * THIRD, 2 * THIRD + 1].map((ms) => isLeaseSafe(sender, NOW + ms))).toEqual([true, false]);
  });
});

describe('the polls of a sender', () => {
  it('come at once, also for due deliveries, then at each interval', () => {
    const sender = open();
    expect([sender.isWoken, isPollDue(sender, NOW), beginPoll(sender, NOW)]).toEqual([false, true, true]);
    expect([999, 1_000].map((ms) => isPollDue(sender, NOW + ms))).toEqual([false, true]);
  });

  it('come at once after a full poll', () => {
    const sender = open();
    beginPoll(sender, NOW);
    endPoll(sender, NOW, true);
    expect([isPollDue(sender, NOW), beginPoll(sender, NOW)]).toEqual([true, true]);
  });

  it('wait a whole interval after a slow poll', () => {
    const sender = open();
    beginPoll(sender, NOW);
    endPoll(sender, NOW + 1_500, false);
    expect(sender.pollAt).toBe(NOW + 2_500);
  });

  it('follow a wake that came during a poll', () => {
    const sender = open();
    beginPoll(sender, NOW);
    wakePoll(sender, NOW + 700, false);
    endPoll(sender, NOW + 1_500, false);
    expect([isPollDue(sender, NOW + 1_500), beginPoll(sender, NOW + 1_500)]).toEqual([true, true]);
    wakePoll(sender, NOW + 1_600, true);
    endPoll(sender, NOW + 1_700, false);
    expect(sender.pollAt).toBe(NOW + 1_600);
  });

  it('are not postponed by a wake, nor due deliveries by a poll for events', () => {
    const sender = open();
    beginPoll(sender, NOW);
    endPoll(sender, NOW, true);
    wakePoll(sender, NOW + 1, false);
    expect(sender.pollAt).toBe(NOW);
    const other = open();
    beginPoll(other, NOW);
    wakePoll(other, NOW + 100, true);
    beginPoll(other, NOW + 100);
    endPoll(other, NOW + 200, false);
    expect(other.pollAt).toBe(NOW + 1_000);
  });

  it('are 5 ms apart after a wake, so that many commits cause one', () => {
    const sender = open();
    beginPoll(sender, NOW);
    wakePoll(sender, NOW + 1, false);
    expect([sender.isWoken, sender.pollAt]).toEqual([true, NOW + 5]);
    beginPoll(sender, NOW + 5);
    expect(sender.isWoken).toBe(false);
    wakePoll(sender, NOW + 100, false);
    expect(sender.pollAt).toBe(NOW + 100);
  });

  it('ask for due deliveries at each interval, and after a wake that may be for one', () => {
    const sender = open();
    beginPoll(sender, NOW);
    wakePoll(sender, NOW + 100, true);
    expect([beginPoll(sender, NOW + 100), sender.pollAt]).toEqual([false, NOW + 1_000]);
    wakePoll(sender, NOW + 200, false);
    expect(beginPoll(sender, NOW + 200)).toBe(true);
    wakePoll(sender, NOW + 1_200, true);
    expect(beginPoll(sender, NOW + 1_200)).toBe(true);
  });

  it('come after the clock was set back', () => {
    const sender = open({ askedAt: NOW - 60_000 });
    beginPoll(sender, NOW);
    expect([isPollDue(sender, NOW - 60_000), beginPoll(sender, NOW - 60_000)]).toEqual([true, true]);
  });
});

describe('the records of a sender', () => {
  it('are due at the next instant that all senders share, also after the clock was set back', () => {
    const senders = [open(), open()];
    for (const [index, sender] of senders.entries()) end(sender, OK, NOW + 30 * (index + 1));
    expect(senders.map(({ recordAt }) => recordAt)).toEqual([NOW + 100, NOW + 100]);
    const [sender = open()] = senders;
    expect([60, 100, -60_000].map((ms) => isRecordDue(sender, NOW + ms))).toEqual([false, true, true]);
  });

  it('are due at once when the endpoint was paused, and never without an ended attempt', () => {
    const sender = open();
    expect([sender.recordAt, isRecordDue(sender, NOW)]).toEqual([Infinity, false]);
    end(sender, OK, NOW);
    end(sender, GONE, NOW + 1);
    expect(isRecordDue(sender, NOW + 1)).toBe(true);
    expect(beginRecord(sender, false).ended).toHaveLength(2);
    expect([sender.recordAt, isRecordDue(sender, NOW + 1)]).toEqual([Infinity, false]);
  });

  it('are expected at the next shared instant only if the last one had a record', () => {
    const sender = open();
    expect(expectedRecordAt(sender, NOW)).toBe(Infinity);
    end(sender, OK, NOW - 1);
    for (let records = 0; records < 2; records += 1) {
      beginRecord(sender, false);
      expect([expectedRecordAt(sender, NOW + 1), expectedRecordAt(sender, NOW + 100)]).toEqual([
        NOW + 100,
        Infinity,
      ]);
    }
  });

  it('are not postponed when another attempt ends', () => {
    const sender = open();
    end(sender, OK, NOW - 1);
    end(sender, OK, NOW + 1);
    expect(sender.recordAt).toBe(NOW);
  });

  it('are due at once without an interval', () => {
    const sender = open({ settleEveryMs: 0 });
    end(sender, OK, NOW);
    expect([sender.recordAt, isRecordDue(sender, NOW)]).toEqual([NOW, true]);
    beginRecord(sender, false);
    expect(expectedRecordAt(sender, NOW)).toBe(Infinity);
  });
});

describe('the endpoint of a sender', () => {
  it('is paused as soon as an attempt ends, unless it went to a former URL', () => {
    const sender = open();
    end(sender, GONE, NOW, FORMER);
    expect(sender.endpoint).toEqual(STORED);
    end(sender, GONE, NOW);
    expect(sender.endpoint.state).toMatchObject({ kind: 'paused', reason: 'gone' });
  });

  it('has the effect of unrecorded attempts at the stored URL, and of all successes', () => {
    const health = { ...FRESH_HEALTH, consecutiveFailures: PAUSE_AFTER_FAILURES - 1, firstFailureAt: NOW };
    const stored = { ...STORED, health };
    const after = (outcome: AttemptOutcome, url: string) => {
      const sender = open({ endpoint: { ...STORED, url: FORMER } });
      end(sender, outcome, NOW, url);
      applyStored(sender, stored, NOW);
      return sender.endpoint;
    };
    expect(after(GONE, FORMER)).toEqual(stored);
    expect(after(ERROR, STORED.url).state).toMatchObject({ kind: 'paused', reason: 'consecutive_failures' });
    expect(after(OK, FORMER).health).toEqual({ ...FRESH_HEALTH, lastSuccessAt: NOW });
  });

  it('keeps its secret objects while the stored secrets are equal', () => {
    const sender = open();
    applyStored(sender, structuredClone(STORED), NOW);
    expect(sender.endpoint.secrets).toBe(STORED.secrets);
  });

  const [current, old] = STORED.secrets as [StoredEndpoint['secrets'][0], StoredEndpoint['secrets'][0]];
  it.each([
    ['the first differs', [{ ...current, sealed: 'sealed:other' }, old]],
    ['the last differs', [current, { ...old, sealed: 'sealed:other' }]],
    ['one expires at another time', [current, { ...old, expiresAt: NOW }]],
    ['one was removed', [current]],
    ['one was added', [current, old, { ...old, sealed: 'sealed:older' }]],
  ])('has the stored secrets when %s', (_, secrets) => {
    const sender = open();
    applyStored(sender, { ...STORED, secrets }, NOW);
    expect(sender.endpoint.secrets).toEqual(secrets);
  });
});

/** Ends an attempt of an event of its own. */
function end(sender: ReturnType<typeof open>, outcome: AttemptOutcome, at: number, url = STORED.url): void {
  const made = { entry: entryAt(at), end: { outcome, endedAt: NOW, latencyMs: 7 }, url, random: 0.5 };
  endAttempt(sender, made, at);
}

function entryAt(at: number): QueuedDelivery {
  const event = sampleEventAt(at, 'key_1');
  return { event, delivery: newDelivery(event, NOW), hasRow: false, ended: null };
}
