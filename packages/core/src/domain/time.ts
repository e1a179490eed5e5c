/** Integer milliseconds since 1970. Without fractions, databases and `Date` agree. */
export type Instant = number;

/** In milliseconds. */
export const SECOND_MS = 1_000;
/** In milliseconds. */
export const MINUTE_MS = 60 * SECOND_MS;
/** In milliseconds. */
export const HOUR_MS = 60 * MINUTE_MS;
/** In milliseconds. */
export const DAY_MS = 24 * HOUR_MS;

let lastMinute = Number.NaN;
let lastMinuteText = '';

/** Returns `new Date(at).toISOString()`. Caches the minute, because rows of a page are close in time. */
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
