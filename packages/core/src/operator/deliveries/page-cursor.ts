import type { EventId } from '../../domain/ids.js';
import { isStorableText } from '../../domain/text.js';
import { inspect } from '../input/inspection.js';

/** Bump it when the form changes: cursors of another version are then refused, not misread. */
const VERSION = 1;

/** Comes after every event of its instant in a list that begins with the newest: the shortest of all ids. */
export const BEFORE_ALL_IDS: EventId = 'evt_';

/** The cursors of one list: opaque, stateless, and bound to what the list was narrowed by, which they spell out. */
export interface PageCursors<Place> {
  /** The cursor of the page that begins after a place. */
  write(filter: readonly unknown[], place: Place): string;
  /**
   * The place after which a page begins, or null at the start.
   *
   * @throws OperatorError `INVALID_INPUT` for a cursor that was not given out for this list and filter.
   */
  read(filter: readonly unknown[], cursor: string | undefined): Place | null;
}

/** What the cursors of a list are made of. */
export interface CursorForm<Place> {
  /** The command that answers with them, e.g. `deliveries.list`. */
  readonly command: string;
  /** Tells them from those of other lists. */
  readonly list: string;
  readonly valuesOf: (place: Place) => readonly unknown[];
  /** Null if the values are none of a place: a cursor that was made up can hold any. */
  readonly placeOf: (values: readonly unknown[]) => Place | null;
}

/** Defines the cursors of a list. */
export function definePageCursors<Place>(form: CursorForm<Place>): PageCursors<Place> {
  const { command, list, valuesOf, placeOf } = form;
  const encode = (filter: readonly unknown[], values: readonly unknown[]) =>
    Buffer.from(JSON.stringify([VERSION, list, ...filter, ...values])).toString('base64url');

  function decode(filter: readonly unknown[], cursor: string): Place | null {
    const values = parseList(Buffer.from(cursor, 'base64url').toString()).slice(2 + filter.length);
    return encode(filter, values) === cursor ? placeOf(values) : null;
  }

  return {
    write: (filter, place) => encode(filter, valuesOf(place)),
    read: (filter, cursor) => {
      if (cursor === undefined) return null;
      const place = typeof cursor === 'string' ? decode(filter, cursor) : null;
      const inspection = inspect(command);
      inspection.expect(place !== null, 'cursor', 'must be the `nextCursor` of a page with the same filter');
      inspection.end();
      return place;
    },
  };
}

/** Whether a value of a cursor may be an instant or a count. */
export function isPlaceNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether a value of a cursor may be the id of an event. */
export function isPlaceId(value: unknown): value is EventId {
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
