import { createFakeClock, settle as letRun } from '@partner-hiring/test-support/clock';
import { SAMPLE_ENDPOINT } from '@partner-hiring/test-support/sample-endpoint';
import { describe, expect, it } from 'vitest';
import { StorageUnavailable } from '../../errors.js';
import { WORKER_DEFAULTS } from '../options.js';
import type { Settle, Settlement } from '../settle.js';
import { settleWithRetry } from './record.js';
import { advance, createSenderState, type Sender } from './sender-state.js';

const LEASE_MS = 90_000;
const RANDOM = { bytes: (count: number) => new Uint8Array(count), token: () => 'token' };
const NOTHING_ENDED: Settlement = {
  keyId: 'key_1',
  token: 'token',
  release: false,
  ended: [],
  unfinished: [],
};

describe('settleWithRetry', () => {
  it('gives up when the lease is lost between two tries', async () => {
    const { ends, sender } = begin(() => Promise.reject(new Error('The database is away.')));
    await letRun();
    advance(sender, 'lose');
    expect(await ends).toBeNull();
  });

  it('gives up when the lease is lost during a try', async () => {
    const { ends } = begin((_settlement, sender) => {
      advance(sender, 'lose');
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
  settle: (settlement: Settlement, sender: Sender) => ReturnType<Settle>,
  { clock = createFakeClock(), fraction = 0 } = {},
) {
  const rules = {
    options: { ...WORKER_DEFAULTS, leaseMs: LEASE_MS },
    storageClock: clock,
    mayIdle: () => true,
    isSliceOver: () => false,
  };
  const taken = { token: 'token', askedAt: clock.now() };
  const sender = createSenderState(rules, { endpoint: SAMPLE_ENDPOINT, watermark: 0 }, taken, clock.now());
  const reported: unknown[] = [];
  const runtime = { clock, random: { ...RANDOM, fraction: () => fraction } };
  const ends = settleWithRetry((asked) => settle(asked, sender), NOTHING_ENDED, {
    runtime,
    sender,
    onFailure: (err) => reported.push(err),
    onBusy: () => reported.push('busy'),
  });
  return { ends, sender, reported };
}
