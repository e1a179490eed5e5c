import { type Instant, MINUTE_MS } from '../domain/time.js';

/** RFC 3339. The sign of the offset may be a space: that is how a raw `+` arrives in a query. */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:Z|([+\- ])([01]\d|2[0-3]):([0-5]\d))$/i;

/**
 * Reads a date-time with an offset or `Z`; null if it is none, or names a day or a time that does not exist.
 * What is finer than a millisecond is cut off.
 */
export function readDateTime(text: string): Instant | null {
  const [, date, time, fraction = '', sign, hours, minutes] = DATE_TIME.exec(text) ?? [];
  if (date === undefined) return null;
  const local = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  const isOnThatDay = !Number.isNaN(local) && new Date(local).toISOString().startsWith(date);
  if (!isOnThatDay) return null;
  const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return sign === '-' ? local + offsetMs : local - offsetMs;
}
