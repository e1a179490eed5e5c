/**
 * A moment as whole milliseconds since 1970-01-01T00:00:00Z, never fractions of one: databases and
 * `Date` then agree on it to the last digit.
 */
export type Instant = number;

/** A second, in milliseconds. */
export const SECOND_MS = 1_000;
/** A minute, in milliseconds. */
export const MINUTE_MS = 60 * SECOND_MS;
/** An hour, in milliseconds. */
export const HOUR_MS = 60 * MINUTE_MS;
/** 24 hours, in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;

let lastMinute = Number.NaN;
let lastMinuteText = '';

/**
 * The ISO 8601 text of an instant, equal to `new Date(at).toISOString()`.
 *
 * Rows of a page lie close together in time, so the text up to the minute is kept from call to call:
 * formatting a date costs more than serialising the rest of the row.
 */
export function toIso(at: Instant): string {
  const minute = Math.floor(at / MINUTE_MS);
  if (minute !== lastMinute) {
    lastMinuteText = new Date(minute * MINUTE_MS).toISOString().slice(0, -7);
    lastMinute = minute;
  }
  const rest = at - minute * MINUTE_MS;
  const seconds = Math.floor(rest / SECOND_MS);
  return `${lastMinuteText}${pad(seconds, 2)}.${pad(rest - seconds * SECOND_MS, 3)}Z`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
