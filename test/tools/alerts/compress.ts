/** A duration of Prometheus, such as `10m`. */
const DURATION = /\b(\d+)([smhd])\b/g;

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Returns the seconds of a duration such as `10m`. @throws Error if the text is not a duration. */
export function secondsOf(duration: string): number {
  const [, count = '', unit = ''] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isNaN(seconds)) throw new Error(`"${duration}" is not a duration.`);
  return seconds;
}

/**
 * Makes rules look at a shorter time: divides the durations in brackets, after `for:` and after `offset`, and thresholds
 * in minutes, which the rules write as `10 * 60`.
 */
export function compressRules(rules: string, factor: number): string {
  const divided = (text: string) =>
    text.replaceAll(DURATION, (duration) => `${Math.max(1, Math.round(secondsOf(duration) / factor))}s`);
  return rules
    .replaceAll(/\[\d+[smhd]\]|for: \d+[smhd]|offset \d+[smhd]/g, divided)
    .replaceAll(/(\d+) \* 60\b/g, (_, minutes: string) => String((Number(minutes) * 60) / factor));
}
