import type { EventId } from '../../domain/ids.js';
import { isStorableText } from '../../domain/text.js';
import { inspect } from '../input.js';

/** Increase it whenever the format changes. */
const VERSION = 1;

/** Sorts before every id, so a newest-first list continues after all events of the instant. */
export const BEFORE_ALL_IDS: EventId = 'evt_';

/** Stateless cursors of a list, bound to its filter. */
export interface PageCursors<Position> {
  write(filter: readonly unknown[], position: Position): string;
  /** @throws OperatorError `INVALID_INPUT` for a forged cursor, or one of another filter. */
  read(filter: readonly unknown[], cursor: string | undefined): Position | null;
}

interface CursorFormat<Position> {
  readonly command: string;
  readonly list: string;
  readonly valuesOf: (position: Position) => readonly unknown[];
  readonly positionOf: (values: readonly unknown[]) => Position | null;
}

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

export function isCursorNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

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
