import { ONE_DAY_MS, ONE_HOUR_MS, ONE_MINUTE_MS } from '../limits.js';

const UNITS = [
  { ms: ONE_DAY_MS, one: 'day', many: 'days' },
  { ms: ONE_HOUR_MS, one: 'hour', many: 'hours' },
  { ms: ONE_MINUTE_MS, one: 'minute', many: 'minutes' },
  { ms: 1_000, one: 'second', many: 'seconds' },
] as const;

/** Returns a duration in its largest unit, such as `3 hours`. */
export function describeMs(ms: number): string {
  const unit = UNITS.find((each) => ms >= each.ms);
  return unit === undefined ? `${Math.round(ms)} ms` : plural(Math.floor(ms / unit.ms), unit.one, unit.many);
}

/** Returns a number with its noun, such as `1 endpoint` or `3 endpoints`. */
export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns a size in megabytes. */
export function describeBytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

/** At most this many rows are counted, so that a check costs little on a large database. */
export const MOST_COUNTED = 1_000;

/** Returns a count that stopped at its limit, such as `more than 1000`. */
export function atMost(count: number): string {
  return count > MOST_COUNTED ? `more than ${MOST_COUNTED}` : String(count);
}
