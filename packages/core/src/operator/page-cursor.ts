import { hashBinding } from '../domain/page.js';
import { isStorableText } from '../domain/text.js';
import type { Instant } from '../domain/time.js';
import type { AgePosition, ListPage } from '../ports/repositories/partners.js';
import { limitOf } from './command/fields.js';
import { InputProblem } from './command/input.js';

/** The version of the cursor's format. Increase it whenever the format changes. */
const VERSION = 2;

/** Selects a page of a list. */
export interface PageOptions {
  /**
   * The `nextCursor` of the previous page; omitted for the first one. All filters must stay the same, otherwise the
   * command throws `INVALID_INPUT`; `limit` may change.
   */
  readonly cursor?: string | undefined;
  /** The most rows of the page, from 1 to 1000; default: 100. `PAGE_LIMIT` is for the partner API. */
  readonly limit?: number | undefined;
}

/** Selects the rows of a time range. */
export interface TimeRange {
  /** The earliest time, inclusive; default: none. */
  readonly since?: Instant | undefined;
  /** The latest time, exclusive; default: none. */
  readonly until?: Instant | undefined;
}

/**
 * Writes and reads the cursors of one list. A cursor contains its position and a hash of the filters, and is
 * valid for these filters only.
 */
export interface PageCursors<Position> {
  write(filter: readonly unknown[], position: Position): string;
  /** @throws InputProblem if the cursor is forged or belongs to another filter. */
  read(filter: readonly unknown[], cursor: string | undefined): Position | null;
}

type IsValue = (value: unknown) => boolean;

const KINDS = {
  number: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  id: (value) => typeof value === 'string' && isStorableText(value),
} satisfies Record<string, IsValue>;

/** @param fields - which fields of a row are its position, in the order in which a cursor contains them. */
export function definePageCursors<Position extends object>(
  list: string,
  fields: { readonly [Name in keyof Position & string]: keyof typeof KINDS | IsValue },
): PageCursors<Position> {
  const names = Object.keys(fields) as (keyof Position & string)[];
  const isValue = (name: keyof Position & string, value: unknown) => {
    const check: keyof typeof KINDS | IsValue = fields[name];
    return typeof check === 'string' ? KINDS[check](value) : check(value);
  };
  const encode = (filter: readonly unknown[], values: readonly unknown[]) =>
    Buffer.from(JSON.stringify([hashBinding([VERSION, list, ...filter]), ...values])).toString('base64url');

  function decode(filter: readonly unknown[], cursor: string): Position | null {
    const values = parseList(Buffer.from(cursor, 'base64url').toString()).slice(1);
    const isValid = names.every((name, index) => isValue(name, values[index]));
    if (!isValid || encode(filter, values) !== cursor) return null;
    return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Position;
  }

  return {
    write: (filter, position) => {
      const values = names.map((name) => position[name]);
      return encode(filter, values);
    },
    read: (filter, cursor) => {
      if (cursor === undefined) return null;
      const position = decode(filter, cursor);
      if (position === null)
        throw new InputProblem('cursor must be the `nextCursor` of a page with the same filter');
      return position;
    },
  };
}

/** A page of a list. */
export interface Page<Row> {
  readonly items: readonly Row[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** Reads one row more than the page has, to know whether there is a next page. */
export async function readPage<Position, Row extends Position>(
  cursors: PageCursors<Position>,
  filter: readonly unknown[],
  { cursor, limit: requested }: PageOptions,
  read: (start: ListPage<Position>) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const limit = limitOf(requested);
  const found = await read({ after: cursors.read(filter, cursor), limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { items: rows, nextCursor: last === undefined ? null : cursors.write(filter, last) };
}

/** Merges lists that are newest first. Several lists may have the same row. */
export function mergeNewest<Row extends { readonly at: Instant }>(
  lists: readonly (readonly Row[])[],
  idOf: (row: Row) => string,
): readonly Row[] {
  const [only = [], ...others] = lists;
  if (others.length === 0) return only;
  const distinct = new Map(lists.flat().map((row) => [idOf(row), row]));
  return [...distinct.values()].sort((a, b) => b.at - a.at || (idOf(a) < idOf(b) ? 1 : -1));
}

/** How a page of chosen rows is read. */
interface Scan<Position, Row extends Position> {
  readonly list: (start: ListPage<Position>) => Promise<readonly Row[]>;
  readonly isKept: (row: Row) => boolean;
  /** The most rows to read for a page. */
  readonly most: number;
  /** The most rows to read at once. */
  readonly atOnce: number;
}

/**
 * Reads rows until enough are kept, or `most` are read. A page that ends early may be empty, and has the cursor of the
 * last row that was read.
 */
export async function scanPage<Position, Row extends Position>(
  cursors: PageCursors<Position>,
  filter: readonly unknown[],
  { cursor, limit: requested }: PageOptions,
  { list, isKept, most, atOnce }: Scan<Position, Row>,
): Promise<Page<Row>> {
  const limit = limitOf(requested);
  const items: Row[] = [];
  let after = cursors.read(filter, cursor);
  for (let left = most; left > 0; left -= atOnce) {
    const rows = await list({ after, limit: Math.min(atOnce, left) });
    for (const row of rows) {
      if (isKept(row)) items.push(row);
      after = row;
      if (items.length === limit) return { items, nextCursor: cursors.write(filter, row) };
    }
    if (rows.length < Math.min(atOnce, left)) return { items, nextCursor: null };
  }
  return { items, nextCursor: after === null ? null : cursors.write(filter, after) };
}

/** Cursors of lists that begin with the oldest row. */
export function defineAgeCursors<Id extends string>(list: string): PageCursors<AgePosition<Id>> {
  return definePageCursors<AgePosition<Id>>(list, { createdAt: 'number', id: 'id' });
}

function parseList(json: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Commands without their iterators, which `withEach` adds. */
export type WithoutEach<Commands> = Pick<Commands, Exclude<keyof Commands, `each${string}`>>;

type List = (filter?: PageOptions) => Promise<Page<unknown>>;

/** Adds an iterator for each list: `each` for `list`, `eachAttempt` for `listAttempts`. */
export function withEach<Commands>(commands: WithoutEach<Commands>): Commands {
  const lists = Object.entries<List>(commands as Record<string, List>).filter(([name]) => isList(name));
  const iterators = lists.map(([name, list]) => [
    eachOf(name),
    // A copy, because the caller may change its filter between two pages.
    (filter?: PageOptions) => rowsOf(list, typeof filter === 'object' ? { ...filter } : filter),
  ]);
  return { ...commands, ...Object.fromEntries(iterators) } as Commands;
}

function isList(name: string): boolean {
  return /^list(?![a-z])/.test(name);
}

function eachOf(list: string): string {
  return `each${list.slice('list'.length).replace(/s$/, '')}`;
}

/** Reads a page when its first row is asked for. The first call checks the filter. */
async function* rowsOf(list: List, filter: PageOptions | undefined): AsyncGenerator<unknown, void> {
  let page = await list(filter);
  for (;;) {
    yield* page.items;
    if (page.nextCursor === null) return;
    page = await list({ ...filter, cursor: page.nextCursor });
  }
}
