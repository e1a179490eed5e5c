import { createFakeClock, settle as letRun } from '@partner-hiring/test-support/clock';
import { describe, expect, it } from 'vitest';
import { StorageUnavailable } from '../../errors.js';
import type { Settle, Settlement } from '../settle.js';
import { type HeldLease, holdLease } from './held-lease.js';
import { createRecordPlan, settleWithRetry } from './record.js';

describe('createRecordPlan', () => {
  const EVERY_MS = 100;
  const NOW = 1_750_000_000_000;

  it('is due at the next instant that all senders share', () => {
    const plans = [createRecordPlan(EVERY_MS), createRecordPlan(EVERY_MS)];
    for (const [index, plan] of plans.entries()) plan.plan(NOW + 30 * (index + 1), false);
    expect(plans.map((plan) => plan.at())).toEqual([NOW + EVERY_MS, NOW + EVERY_MS]);
    expect(plans.map((plan) => [plan.isPending(NOW + 60), plan.isDue(NOW + 60)])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(plans.map((plan) => [plan.isPending(NOW + 100), plan.isDue(NOW + 100)])).toEqual([
      [false, true],
      [false, true],
    ]);
  });

  it('is due at once when urgent, and never without an ended attempt', () => {
    const plan = createRecordPlan(EVERY_MS);
    expect([plan.at(), plan.isPending(NOW), plan.isDue(NOW)]).toEqual([Infinity, false, false]);
    plan.plan(NOW, false);
    plan.plan(NOW, true);
    expect(plan.isDue(NOW)).toBe(true);
    plan.clear();
    expect([plan.at(), plan.isDue(NOW)]).toEqual([Infinity, false]);
  });

  it('expects a record at the next shared instant only if the last one had a record', () => {
    const plan = createRecordPlan(EVERY_MS);
    expect(plan.expectedAt(NOW)).toBe(Infinity);
    plan.plan(NOW - 1, false);
    plan.clear();
    expect(plan.expectedAt(NOW + 1)).toBe(NOW + EVERY_MS);
    expect(plan.expectedAt(NOW + EVERY_MS)).toBe(Infinity);
    plan.clear();
    expect([plan.expectedAt(NOW + 1), plan.expectedAt(NOW + EVERY_MS)]).toEqual([NOW + EVERY_MS, Infinity]);
  });

  it('does not postpone a record when another attempt ends', () => {
    const plan = createRecordPlan(EVERY_MS);
    plan.plan(NOW - 1, false);
    plan.plan(NOW + 1, false);
    expect(plan.at()).toBe(NOW);
    plan.plan(NOW + 2, true);
    plan.plan(NOW + 3, false);
    expect(plan.at()).toBe(NOW + 2);
  });

  it('is due at once without an interval', () => {
    const plan = createRecordPlan(0);
    plan.plan(NOW, false);
    expect([plan.at(), plan.isDue(NOW), plan.isPending(NOW)]).toEqual([NOW, true, false]);
    plan.clear();
    expect(plan.expectedAt(NOW)).toBe(Infinity);
  });

  it('is due after the clock was set back', () => {
    const plan = createRecordPlan(EVERY_MS);
    plan.plan(NOW, false);
    expect(plan.isDue(NOW - 60_000)).toBe(true);
  });
});

const LEASE_MS = 90_000;
const NOTHING_ENDED: Settlement = {
  keyId: 'key_1',
  token: 'token',
  release: false,
  ended: [],
  unfinished: [],
};

describe('settleWithRetry', () => {
  it('gives up when the lease is lost between two tries', async () => {
    const { ends, held } = begin(() => Promise.reject(new Error('The database is away.')));
    await letRun();
    held.lose();
    expect(await ends).toBeNull();
  });

  it('gives up when the lease is lost during a try', async () => {
    const { ends } = begin((_settlement, held) => {
      held.lose();
      return Promise.resolve({ kind: 'busy' });
    });
    expect(await ends).toBeNull();
  });

  it('retries senders that failed together at different times', async () => {
    const { clock, tries, settle } = count(() =>
      Promise.reject(new StorageUnavailable('It looks like an outage.')),
    );
    for (const fraction of [0, 0.5, 0.9]) begin(settle, { clock, fraction });
    await letRun();
    await clock.advance(1_000);
    expect(tries).toEqual([0, 0, 0, 550, 750, 1_000]);
  });

  it('doubles the pause during an outage, up to 8 s', async () => {
    const { clock, tries, settle } = count(() =>
      Promise.reject(new StorageUnavailable('It is away for long.')),
    );
    begin(settle, { clock });
    await letRun();
    await clock.advance(31_000);
    expect(tries).toEqual([0, 1_000, 3_000, 7_000, 15_000, 23_000, 31_000]);
  });

  it('retries after 100 ms while another transaction holds the endpoint', async () => {
    const { clock, tries, settle } = count(() => Promise.resolve({ kind: 'busy' }));
    begin(settle, { clock });
    await letRun();
    await clock.advance(300);
    expect(tries).toEqual([0, 100, 200, 300]);
  });

  it('gives up on an error before the lease expires, but not during an outage', async () => {
    const refused = count(() => Promise.reject(new Error('A trigger of the host refuses it.')));
    const away = count(() => Promise.reject(new StorageUnavailable('It is away for long.')));
    const stories = [refused, away].map(({ clock, settle }) => begin(settle, { clock }));
    await letRun();
    for (const { clock } of [refused, away]) await clock.advance(2 * LEASE_MS);
    expect(await stories[0]?.ends).toBeNull();
    expect(refused.tries.at(-1)).toBe(87_000);
    expect(away.tries.at(-1)).toBe(175_000);
  });

  it('reports each failure and each busy endpoint', async () => {
    const error = new StorageUnavailable('It is away.');
    const answers = [() => Promise.reject(error), () => Promise.resolve({ kind: 'busy' } as const)];
    const { clock, settle } = count(() => answers.shift()?.() ?? Promise.resolve({ kind: 'lost' }));
    const { ends, reported } = begin(settle, { clock });
    await letRun();
    await clock.advance(1_100);
    expect(await ends).toEqual({ kind: 'lost' });
    expect(reported).toEqual([error, 'busy']);
  });
});

function count(settle: Settle) {
  const clock = createFakeClock();
  const startedAt = clock.now();
  const tries: number[] = [];
  const counted: Settle = (settlement) => {
    tries.push(clock.now() - startedAt);
    return settle(settlement);
  };
  return { clock, tries, settle: counted };
}

function begin(
  settle: (settlement: Settlement, held: HeldLease) => ReturnType<Settle>,
  { clock = createFakeClock(), fraction = 0 } = {},
) {
  const taken = { token: 'token', askedAt: clock.now() };
  const held = holdLease(() => Promise.resolve('held'), clock, LEASE_MS, 'key_1', taken);
  const reported: unknown[] = [];
  const ends = settleWithRetry((asked) => settle(asked, held), NOTHING_ENDED, {
    clock,
    random: { fraction: () => fraction },
    lease: held,
    onFailure: (err) => reported.push(err),
    onBusy: () => reported.push('busy'),
  });
  return { ends, held, reported };
}
