import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, failureOf, isSuccess } from './delivery.js';
import { type Gap, gapAfter } from './gap.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './time.js';

const OK: AttemptOutcome = { kind: 'answered', status: 204, excerpt: '' };
const ERROR: AttemptOutcome = { kind: 'answered', status: 500, excerpt: '' };
const UNREACHABLE: AttemptOutcome = { kind: 'failed', failure: 'connection_failed', message: '' };
const BUSY: AttemptOutcome = { kind: 'answered', status: 429, excerpt: '' };
const AWAY: AttemptOutcome = { kind: 'answered', status: 503, excerpt: '' };
const busyFor = (retryAfterMs: number): AttemptOutcome => ({ ...BUSY, retryAfterMs });

interface State {
  readonly gap: Gap | null;
  readonly failures: number;
  readonly now: number;
}

const START: State = { gap: null, failures: 0, now: 1_000_000 };

/** Makes an attempt when it may begin. It takes 5 ms. */
function attempt(state: State, outcome: AttemptOutcome, random = 0.5): State {
  const endedAt = Math.max(state.now, state.gap?.until ?? 0) + 5;
  const failures = isSuccess(outcome) ? 0 : state.failures + 1;
  const ended = { outcome, endedAt, latencyMs: 5, random };
  return { gap: gapAfter(state.gap, ended, { failures, cause: failureOf(outcome) }), failures, now: endedAt };
}

function gapsOf(outcomes: readonly AttemptOutcome[], random = 0.5): readonly (number | null)[] {
  let state = START;
  return outcomes.map((outcome) => {
    state = attempt(state, outcome, random);
    return state.gap === null ? null : state.gap.until - state.now;
  });
}

const times = <Value>(count: number, value: Value): readonly Value[] => Array<Value>(count).fill(value);

describe('probing', () => {
  it('begins with the fifth failure in a row, and doubles from one second to one minute', () => {
    const seconds = gapsOf(times(13, UNREACHABLE)).map((ms) => (ms === null ? null : ms / SECOND_MS));
    expect(seconds).toEqual([null, null, null, null, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('varies by a quarter', () => {
    expect(gapsOf(times(5, ERROR), 0).at(-1)).toBe(750);
    expect(gapsOf(times(5, ERROR), 1).at(-1)).toBe(1_250);
  });

  it('ends with a success, and then needs five failures again', () => {
    const gaps = gapsOf([...times(6, ERROR), OK, ...times(5, ERROR)]);
    expect(gaps.slice(6)).toEqual([null, null, null, null, null, SECOND_MS]);
  });

  it('takes a 503 that asks for nothing as any failure', () => {
    expect(gapsOf(times(5, AWAY))).toEqual([null, null, null, null, SECOND_MS]);
  });

  it('takes at least 25 minutes for 50 failures, whichever they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(ERROR, AWAY, UNREACHABLE, BUSY), { minLength: 50, maxLength: 50 }),
        (outcomes) => {
          const end = outcomes.reduce((state, outcome) => attempt(state, outcome, 0), START);
          expect(end.now - START.now).toBeGreaterThanOrEqual(25 * MINUTE_MS);
        },
      ),
    );
  });
});

describe('pacing', () => {
  it('begins with the first 429, and doubles with each refusal from 100 ms to one minute', () => {
    const gaps = gapsOf(times(12, BUSY));
    expect(gaps).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 60_000, 60_000]);
  });

  it('shrinks by a twentieth with each success, and ends below 10 ms', () => {
    const gaps = gapsOf([BUSY, ...times(60, OK)]);
    expect(gaps.slice(0, 4)).toEqual([100, 95, 90, 85]);
    expect(gaps.filter((ms) => ms !== null).at(-1)).toBe(10);
    expect(gaps.at(-1)).toBeNull();
  });

  it('begins with a 503 that has `Retry-After`, even 0', () => {
    expect(gapsOf([{ ...AWAY, retryAfterMs: 0 }])).toEqual([100]);
  });

  it('becomes probing after five failures for another cause', () => {
    const gaps = gapsOf([...times(4, BUSY), UNREACHABLE, UNREACHABLE, OK]);
    expect(gaps).toEqual([100, 200, 400, 800, 1_600, 3_200, null]);
  });
});

describe('Retry-After', () => {
  it('is a lower bound of the next gap alone, at most an hour', () => {
    expect(gapsOf([busyFor(30_000), OK, BUSY])).toEqual([30_000, 95, 190]);
    expect(gapsOf([busyFor(24 * HOUR_MS)])).toEqual([HOUR_MS]);
    expect(gapsOf([busyFor(1)])).toEqual([100]);
  });

  it('of an attempt that began before lengthens the gap, and does not double it', () => {
    const { gap, now } = attempt(START, BUSY);
    const ended = { outcome: busyFor(5_000), endedAt: now + 1, latencyMs: 20, random: 0.5 };
    const later = gapAfter(gap, ended, { failures: 2, cause: failureOf(BUSY) });
    expect(later).toMatchObject({ ms: 100, until: now + 5_001 });
  });
});

it('for any attempts, also several in flight: stays within its bounds, and keeps when it began', () => {
  const outcome = fc.oneof(
    fc.constantFrom(OK, ERROR, UNREACHABLE, AWAY, BUSY),
    fc.nat(2 * HOUR_MS).map(busyFor),
  );
  const steps = fc.array(
    fc.record({ outcome, isBehind: fc.boolean(), random: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
  );
  fc.assert(
    fc.property(steps, (all) => {
      let state = START;
      for (const { outcome: result, isBehind, random } of all) {
        const before = state.gap;
        const beganAt = isBehind ? Math.max(state.now, before?.until ?? 0) : (before?.at ?? state.now) - 1;
        const endedAt = Math.max(beganAt, state.now) + 3;
        const failures = isSuccess(result) ? 0 : state.failures + 1;
        const ended = { outcome: result, endedAt, latencyMs: endedAt - beganAt, random };
        const gap = gapAfter(before, ended, { failures, cause: failureOf(result) });
        state = { gap, failures, now: endedAt };
        if (gap === null) continue;
        expect(gap.ms).toBeGreaterThanOrEqual(10);
        expect(gap.ms).toBeLessThanOrEqual(MINUTE_MS);
        expect(gap.until - gap.at).toBeLessThanOrEqual(HOUR_MS + (endedAt - gap.at));
        expect(gap.since).toBe(before?.since ?? endedAt);
        if (before !== null && !isBehind) {
          expect(gap.ms).toBe(before.ms);
          expect(gap.until).toBeGreaterThanOrEqual(before.until);
        }
      }
    }),
  );
});
