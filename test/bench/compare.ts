/** A figure of ours and one of the baseline, of one unit. */
export interface Pair {
  readonly ours: number;
  readonly baseline: number;
}

/** Two things measured against each other. */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  /** What the ratio of ours to the baseline must be, or ours itself; null where no goal is set. */
  readonly goal:
    | { readonly atLeast: number }
    | { readonly atMost: number }
    | { readonly oursAtMost: number }
    | null;
  /** Measures one round of both. */
  readonly measure: () => Promise<Pair>;
  /** Rounds of a full run that nobody counts, one unless more are needed until what runs is compiled. */
  readonly warmUpRounds?: number;
}

/** Measures the one and then the other. */
export function inTurn(ours: () => Promise<number>, baseline: () => Promise<number>): Comparison['measure'] {
  return async () => ({ ours: await ours(), baseline: await baseline() });
}

/** Measures both, each one first in every second round: the second one may find the machine warmer. */
export function takingTurns(
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Comparison['measure'] {
  let oursFirst = false;
  return async () => {
    oursFirst = !oursFirst;
    if (oursFirst) return { ours: await ours(), baseline: await baseline() };
    const measured = await baseline();
    return { ours: await ours(), baseline: measured };
  };
}

/** The size of a run. */
export interface RunSize {
  readonly rounds: number;
  readonly durationMs: number;
}

/** Enough for a figure, and only enough to see that the benchmark works. */
export const FULL: RunSize = { rounds: Number(process.env.BENCH_ROUNDS ?? 7), durationMs: 2_500 };
export const QUICK: RunSize = { rounds: 1, durationMs: 300 };

/**
 * Measures both sides, first to warm up and then round by round, and prints a row: the medians, and
 * the median of the rounds' ratios with the least and the greatest of them.
 */
export async function compare(comparison: Comparison, { rounds }: RunSize): Promise<void> {
  const pairs: Pair[] = [];
  const warmUpRounds = Math.min(comparison.warmUpRounds ?? 1, rounds);
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const pair = await comparison.measure();
    if (round >= 0) pairs.push(pair);
  }
  const ratios = pairs.map(({ ours, baseline }) => ours / baseline);
  const cells = [
    comparison.name,
    median(pairs.map(({ ours }) => ours)).toFixed(0),
    median(pairs.map(({ baseline }) => baseline)).toFixed(0),
    comparison.unit,
    `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    goalText(comparison.goal),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

/** The head of the table that `compare` prints rows of. */
export function printHead(title: string): void {
  console.log(`\n${title}\n\n| What | ours | baseline | unit | ratio | goal |\n|---|---|---|---|---|---|`);
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function goalText(goal: Comparison['goal']): string {
  if (goal === null) return '';
  if ('oursAtMost' in goal) return `ours at most ${goal.oursAtMost}`;
  return 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`;
}
