import { createFakeClock } from '@partner-hiring/test-support/clock';
import { describe, expect, it } from 'vitest';
import { createCooldowns } from './cooldowns.js';

const LEASE_MS = 90_000;
const RECORDED = { isUnrecorded: false, cooldownMs: 0 };
const UNRECORDED = { isUnrecorded: true, cooldownMs: 0 };

describe('an endpoint', () => {
  it('rests not after one lane that could not record, then longer each time, a quarter of an hour at most', () => {
    const { restAfter } = begin();
    const cooldowns = Array.from({ length: 6 }, () => restAfter(UNRECORDED));
    expect(cooldowns).toEqual([0, 180_000, 360_000, 720_000, 900_000, 900_000]);
  });

  it('does not rest after a lane that ended well', () => {
    expect(begin().restAfter(RECORDED)).toBe(0);
  });

  it('begins anew once something was recorded', () => {
    const { restAfter } = begin();
    restAfter(UNRECORDED);
    restAfter(UNRECORDED);
    restAfter(RECORDED);
    expect(restAfter(UNRECORDED)).toBe(0);
  });

  it('rests as long as its lane says where that is longer', () => {
    expect(begin().restAfter({ isUnrecorded: true, cooldownMs: 5_000 })).toBe(5_000);
  });
});

/** The rest of one endpoint after each of its lanes. */
function begin() {
  const clock = createFakeClock();
  const cooldowns = createCooldowns(clock, LEASE_MS);
  return {
    restAfter(end: Parameters<typeof cooldowns.ended>[1]): number {
      cooldowns.ended('key_1', end);
      const now = clock.now();
      for (let cooldownMs = 0; ; cooldownMs += 5_000) {
        if (cooldowns.resting(now + cooldownMs).length === 0) return cooldownMs;
      }
    },
  };
}
