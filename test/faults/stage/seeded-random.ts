import { onTestFailed } from 'vitest';

/**
 * Creates random numbers from 0 to 1 for a test. A failed test prints their seed, and `FAULTS_SEED` repeats them.
 * Processes and clocks still differ.
 */
export function createSeededRandom(): () => number {
  const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));
  onTestFailed(() => console.log(`FAULTS_SEED=${seed}`));
  let state = seed;
  // The generator mulberry32.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
