/** Milliseconds since 1970-01-01T00:00:00Z, as a whole number. Without fractions, databases and `Date` agree. */
export type Instant = number;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The most days in the map, which is cleared when it is full. The rows of a page share few days. */
const MAX_DAYS = 1_000;
const dayTexts = new Map<number, string>();

const TWO_DIGITS = numerals(60, 2);
const THREE_DIGITS = numerals(1_000, 3);

/** Returns `new Date(at).toISOString()`, faster: it looks up the digits, and the text of a known day. */
export function toIso(at: Instant): string {
  const day = Math.floor(at / DAY_MS);
  const rest = at - day * DAY_MS;
  const hours = Math.floor(rest / HOUR_MS);
  const minutes = Math.floor(rest / MINUTE_MS) % 60;
  const seconds = Math.floor(rest / SECOND_MS) % 60;
  const time = `${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes]}:${TWO_DIGITS[seconds]}`;
  return `${dayTexts.get(day) ?? learnDay(day)}${time}.${THREE_DIGITS[rest % SECOND_MS]}Z`;
}

function learnDay(day: number): string {
  const text = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
  if (dayTexts.size >= MAX_DAYS) dayTexts.clear();
  dayTexts.set(day, text);
  return text;
}

function numerals(count: number, width: number): readonly string[] {
  return Array.from({ length: count }, (_, value) => String(value).padStart(width, '0'));
}

/** Returns whether `at` is reached. Also returns true if the clock was set back by more than `plannedMs`. */
export function isReached(now: Instant, at: Instant, plannedMs: number): boolean {
  const leftMs = at - now;
  return leftMs <= 0 || leftMs > plannedMs;
}
