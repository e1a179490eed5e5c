import { report, sized } from '../size.js';

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
const TRIES = sized(2, 3);

/**
 * Attacks again while other partners are stalled, a few times at most. What is wrong is wrong at once.
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
    if (stalls.length === 0 || wrong.length > 0 || left === 1) return { stalls, wrong };
  }
}
