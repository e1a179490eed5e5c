/** Whether this is the full run, `npm run faults`. */
export const IS_FULL = process.env.FAULTS === 'full';

/** Returns the size for the full or the short run. */
export function sized<Size>(full: Size, small: Size): Size {
  return IS_FULL ? full : small;
}

/** Prints the result of an attack in one line. */
export function report(attack: string, result: string): void {
  console.log(`${attack}: ${result}`);
}

/** NaN without values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** For a report. */
export function inWords(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
