/** Says how an instant may be written, in summaries and errors. */
export const INSTANT_FORMS = '2026-01-31, 2026-01-31T09:00Z or 3d';

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const AGO = /^(\d{1,6})([mhdw])$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Requires a zone, because a local time depends on the machine. */
const TIME = /^((\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/;

/**
 * Returns the instant that a text names: a day, which begins at midnight in UTC; a time with its zone; or how long ago
 * it was, such as `30m`, `12h`, `3d` or `2w`. Null for other texts.
 * @param now - the time of this machine, which only `3d` and the like depend on.
 */
export function readInstant(text: string, now: number): number | null {
  const [, count, unit = ''] = AGO.exec(text) ?? [];
  if (count !== undefined) return Math.max(0, now - Number(count) * (UNITS_MS[unit] ?? 0));
  if (DAY.test(text)) return isDay(text) ? Date.parse(`${text}T00:00Z`) : null;
  const [, local, day, hours, minutes = '00'] = TIME.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const at = Date.parse(`${local}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return Number.isNaN(at) ? null : at;
}

/** Rejects February 31, which `Date` parses as March 3. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
