import { IS_FULL, report } from '../size.js';

/** What one try of an attack came to. */
export interface Outcome {
  /** For the report. */
  readonly summary: string;
  /** Latencies of other partners beyond their bounds, in words. */
  readonly stalls: readonly string[];
  /** All else that must not be, in words. */
  readonly wrong: readonly string[];
}

/** Other work on the machine can look like a stall of the service, but does not in each of these tries. */
const TRIES = 2;

/**
 * Attacks again while other partners are stalled, a few times at most. What is wrong is wrong at once. Stalls only count
 * in the attack in full: in every test run, other tests share the machine, and the report alone tells the latencies.
 *
 * @param attack - is told whether it is the first try.
 */
export async function tryAttack(
  name: string,
  attack: (isFirst: boolean) => Promise<Outcome>,
): Promise<Omit<Outcome, 'summary'>> {
  for (let left = TRIES; ; left -= 1) {
    const { summary, stalls, wrong } = await attack(left === TRIES);
    report(name, summary);
    if (!IS_FULL) return { stalls: [], wrong };
    if (stalls.length === 0 || wrong.length > 0 || left === 1) return { stalls, wrong };
  }
}
