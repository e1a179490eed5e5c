/** Whether this is the attack in full, `npm run faults`. Every test run makes a small one. */
export const IS_FULL = process.env.FAULTS === 'full';

/** A size of the full attack, and of the one in every test run. */
export function sized<Size>(full: Size, small: Size): Size {
  return IS_FULL ? full : small;
}

/** The one line that an attack leaves: what it did and what came of it. */
export function report(attack: string, result: string): void {
  console.log(`${attack}: ${result}`);
}

/** The middle of the values; NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that this share of the values does not exceed; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** For a report: milliseconds as people read them. */
export function inWords(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
