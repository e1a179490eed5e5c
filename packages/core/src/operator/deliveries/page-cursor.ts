import type { EventId } from '../../domain/ids.js';
import { isStorableText } from '../../domain/text.js';
import { inspect } from '../input.js';

/** Increase it when the format changes, so that old cursors are rejected instead of misread. */
const VERSION = 1;

/** Sorts before every event of the same instant, newest first: it is the shortest possible id. */
export const BEFORE_ALL_IDS: EventId = 'evt_';

/** Stateless cursors of one list. A cursor contains the list's filter, and is valid only for it. */
export interface PageCursors<Position> {
  /** Returns the cursor of the page after a position. */
  write(filter: readonly unknown[], position: Position): string;
  /**
   * Returns the position after which a page starts, or null without a cursor.
   *
   * @throws OperatorError `INVALID_INPUT` for a cursor of another list or filter, and for a forged one.
   */
  read(filter: readonly unknown[], cursor: string | undefined): Position | null;
}

/** The format of a list's cursors. */
interface CursorFormat<Position> {
  readonly command: string;
  readonly list: string;
  readonly valuesOf: (position: Position) => readonly unknown[];
  /** Returns null for values that no position has: a forged cursor may contain anything. */
  readonly positionOf: (values: readonly unknown[]) => Position | null;
}

/** Defines the cursors of a list. */
export function definePageCursors<Position>(format: CursorFormat<Position>): PageCursors<Position> {
  const { command, list, valuesOf, positionOf } = format;
  const encode = (filter: readonly unknown[], values: readonly unknown[]) =>
    Buffer.from(JSON.stringify([VERSION, list, ...filter, ...values])).toString('base64url');

  function decode(filter: readonly unknown[], cursor: string): Position | null {
    const values = parseList(Buffer.from(cursor, 'base64url').toString()).slice(2 + filter.length);
    return encode(filter, values) === cursor ? positionOf(values) : null;
  }

  return {
    write: (filter, position) => encode(filter, valuesOf(position)),
    read: (filter, cursor) => {
      if (cursor === undefined) return null;
      const position = typeof cursor === 'string' ? decode(filter, cursor) : null;
      const inspection = inspect(command);
      const rule = 'must be the `nextCursor` of a page with the same filter';
      inspection.expect(position !== null, 'cursor', rule);
      inspection.end();
      return position;
    },
  };
}

/** Returns whether a cursor's value can be an instant or a count. */
export function isCursorNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Returns whether a cursor's value can be the id of an event. */
export function isCursorId(value: unknown): value is EventId {
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
