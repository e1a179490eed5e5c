import { IS_FULL, report } from '../size.js';

/** The result of one try. */
export interface Outcome {
  /** For the report. */
  readonly summary: string;
  /** Exceeded latencies of other partners. */
  readonly stalls: readonly string[];
  /** All other errors. */
  readonly wrong: readonly string[];
}

/** Other work on the machine rarely stalls every try. */
const TRIES = 2;

/**
 * Repeats an attack while other partners are stalled. Other errors count at once. Stalls count only in the full attack,
 * because other tests share the machine in a short run.
 *
 * @param attack - gets whether it is the first try.
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
