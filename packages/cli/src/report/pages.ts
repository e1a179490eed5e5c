import { UsageError } from '../command/command-error.js';
import type { CommandInput } from '../command/command-input.js';

/** Options of commands that list pages. */
export const PAGE_OPTIONS = {
  cursor: { value: 'CURSOR', summary: 'The cursor of the next page' },
  limit: { value: 'N', summary: '1 to 1000, default 100' },
} as const;

/** Appends how to get the next page. */
export function withNext(text: string, nextCursor: string | null): string {
  return nextCursor === null ? text : `${text}\n\nNext page: --cursor ${nextCursor}`;
}

/** Reads all rows of a list. */
export async function allRows<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** @throws UsageError if the command got options of a page, but lists everything without `option`. */
export function noPageWithout(option: string, input: CommandInput): void {
  const given = Object.keys(PAGE_OPTIONS).find((name) => input.option(name) !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} needs --${option}.`);
}
