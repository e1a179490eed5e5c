import { createFakeClock, settle as letRun } from '@partner-hiring/test-support/clock';
import { describe, expect, it } from 'vitest';
import { StorageUnavailable } from '../../../errors.js';
import type { Settle, Settlement } from '../../settle.js';
import { type HeldLease, holdLease } from './held-lease.js';
import { settleWithRetry } from './settle-with-retry.js';

const LEASE_MS = 90_000;
const NOTHING_ENDED: Settlement = {
  keyId: 'key_1',
  token: 'token',
  release: false,
  ended: [],
  unfinished: [],
};

describe('settleWithRetry', () => {
  it('gives up at once when the lease is lost while it waits for the next try', async () => {
    const { ends, held } = begin(() => Promise.reject(new Error('The database is away.')));
    await letRun();
    held.lose();
    expect(await ends).toBeNull();
  });

  it('does not wait for a next try when the lease was lost during this one', async () => {
    const { ends } = begin((_settlement, held) => {
      held.lose();
      return Promise.resolve({ kind: 'busy' });
    });
    expect(await ends).toBeNull();
  });

  it('does not try again together with whom it failed: what looks like an outage may be about one of them', async () => {
    const { clock, tries, settle } = count(() =>
      Promise.reject(new StorageUnavailable('It looks like an outage.')),
    );
    for (const fraction of [0, 0.5, 0.9]) begin(settle, { clock, fraction });
    await letRun();
    await clock.advance(1_000);
    expect(tries).toEqual([0, 0, 0, 550, 750, 1_000]);
  });

  it('waits for the end of an outage twice as long each time, and 8 s at most', async () => {
    const { clock, tries, settle } = count(() =>
      Promise.reject(new StorageUnavailable('It is away for long.')),
    );
    begin(settle, { clock });
    await letRun();
    await clock.advance(31_000);
    expect(tries).toEqual([0, 1_000, 3_000, 7_000, 15_000, 23_000, 31_000]);
  });

  it('tries again within a tenth of a second while another transaction is changing the endpoint', async () => {
    const { clock, tries, settle } = count(() => Promise.resolve({ kind: 'busy' }));
    begin(settle, { clock });
    await letRun();
    await clock.advance(300);
    expect(tries).toEqual([0, 100, 200, 300]);
  });

  it('gives up what the storage refuses before the lease runs out, and waits for the end of an outage longer', async () => {
    const refused = count(() => Promise.reject(new Error('A trigger of the host refuses it.')));
    const away = count(() => Promise.reject(new StorageUnavailable('It is away for long.')));
    const stories = [refused, away].map(({ clock, settle }) => begin(settle, { clock }));
    await letRun();
    for (const { clock } of [refused, away]) await clock.advance(2 * LEASE_MS);
    expect(await stories[0]?.ends).toBeNull();
    // Another pause of 8 s would outlast it.
    expect(refused.tries.at(-1)).toBe(87_000);
    expect(away.tries.at(-1)).toBe(175_000);
  });

  it('tells of each failure, and each time that it found the endpoint busy', async () => {
    const error = new StorageUnavailable('It is away.');
    const answers = [() => Promise.reject(error), () => Promise.resolve({ kind: 'busy' } as const)];
    const { clock, settle } = count(() => answers.shift()?.() ?? Promise.resolve({ kind: 'lost' }));
    const { ends, told } = begin(settle, { clock });
    await letRun();
    await clock.advance(1_100);
    expect(await ends).toEqual({ kind: 'lost' });
    expect(told).toEqual([error, 'busy']);
  });
});

/** Notes when each try is made, in milliseconds since now. */
function count(settle: Settle) {
  const clock = createFakeClock();
  const begunAt = clock.now();
  const tries: number[] = [];
  const counted: Settle = (settlement) => {
    tries.push(clock.now() - begunAt);
    return settle(settlement);
  };
  return { clock, tries, settle: counted };
}

/** On a clock that stands still: whoever waits for time to pass waits for ever. */
function begin(
  settle: (settlement: Settlement, held: HeldLease) => ReturnType<Settle>,
  { clock = createFakeClock(), fraction = 0 } = {},
) {
  const taken = { token: 'token', askedAt: clock.now() };
  const held = holdLease(() => Promise.resolve('held'), clock, LEASE_MS, 'key_1', taken);
  const told: unknown[] = [];
  const ends = settleWithRetry((asked) => settle(asked, held), NOTHING_ENDED, {
    clock,
    random: { fraction: () => fraction },
    lease: held,
    onFailure: (err) => told.push(err),
    onBusy: () => told.push('busy'),
  });
  return { ends, held, told };
}
