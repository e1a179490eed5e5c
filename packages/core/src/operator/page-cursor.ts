import { isStorableText } from '../domain/text.js';
import { type Inspection, inspect } from './inspection.js';

/** Bump it when the form changes: cursors of another version are then refused, not misread. */
const VERSION = 1;

/**
 * A cursor of a list: opaque, stateless, and bound to what the list was narrowed by, which it spells out.
 *
 * @param place - the place of the page's last row in the order of the list.
 */
export function encodeCursor(list: string, filter: readonly unknown[], place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([VERSION, list, ...filter, ...place])).toString('base64url');
}

/** The place in a cursor; null if it is not one that was given out for this list and filter. */
export function decodeCursor(
  list: string,
  filter: readonly unknown[],
  cursor: string,
): readonly unknown[] | null {
  const values = parseList(Buffer.from(cursor, 'base64url').toString());
  const place = values.slice(2 + filter.length);
  return encodeCursor(list, filter, place) === cursor ? place : null;
}

/** Checks a bound of a list in time. */
export function inspectInstant(inspection: Inspection, at: number | undefined, field: string): void {
  const holds = at === undefined || (Number.isSafeInteger(at) && at >= 0);
  inspection.expect(holds, field, 'must be an instant: whole milliseconds since 1970');
}

/** The place where a page begins, or null at the start. @throws OperatorError `INVALID_INPUT`. */
export function placeOf<Place>(
  command: string,
  list: string,
  filter: readonly unknown[],
  cursor: string | undefined,
  read: (place: readonly unknown[]) => Place | null,
): Place | null {
  if (cursor === undefined) return null;
  const values = typeof cursor === 'string' ? decodeCursor(list, filter, cursor) : null;
  const place = values === null ? null : read(values);
  const inspection = inspect(command);
  inspection.expect(place !== null, 'cursor', 'must be the `nextCursor` of a page with the same filter');
  inspection.end();
  return place;
}

/** Whether what a cursor names may be an instant or a count: one that was made up can hold any number. */
export function isPlaceNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether what a cursor names may be an id: one that was made up can hold any text. */
export function isPlaceId(value: unknown): value is string {
  return typeof value === 'string' && isStorableText(value);
}

function parseList(json: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
