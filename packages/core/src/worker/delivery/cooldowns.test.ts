import { createFakeClock } from '@partner-hiring/test-support/clock';
import { describe, expect, it } from 'vitest';
import { createCooldowns } from './cooldowns.js';

const LEASE_MS = 90_000;
const RECORDED = { isUnrecorded: false, cooldownMs: 0 };
const UNRECORDED = { isUnrecorded: true, cooldownMs: 0 };

describe('createCooldowns', () => {
  it('doubles the cooldown from the second unrecorded sender, up to 15 minutes', () => {
    const { cooldownAfter } = begin();
    const cooldowns = Array.from({ length: 6 }, () => cooldownAfter(UNRECORDED));
    expect(cooldowns).toEqual([0, 180_000, 360_000, 720_000, 900_000, 900_000]);
  });

  it('has no cooldown after a normal end', () => {
    expect(begin().cooldownAfter(RECORDED)).toBe(0);
  });

  it('resets after a recorded sender', () => {
    const { cooldownAfter } = begin();
    cooldownAfter(UNRECORDED);
    cooldownAfter(UNRECORDED);
    cooldownAfter(RECORDED);
    expect(cooldownAfter(UNRECORDED)).toBe(0);
  });

  it("uses the sender's cooldown if it is longer", () => {
    expect(begin().cooldownAfter({ isUnrecorded: true, cooldownMs: 5_000 })).toBe(5_000);
    // The shortest one. The helper looks every five seconds.
    expect(begin().cooldownAfter({ isUnrecorded: false, cooldownMs: 1 })).toBe(5_000);
  });
});

function begin() {
  const clock = createFakeClock();
  const cooldowns = createCooldowns(clock, LEASE_MS);
  return {
    cooldownAfter(end: Parameters<typeof cooldowns.ended>[1]): number {
      cooldowns.ended('key_1', end);
      const now = clock.now();
      for (let cooldownMs = 0; ; cooldownMs += 5_000) {
        if (cooldowns.coolingDown(now + cooldownMs).length === 0) return cooldownMs;
      }
    },
  };
}
