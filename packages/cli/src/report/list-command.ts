import { type CommandName, callCommand, type Page, type ResultOf } from '@partner-hiring/core';
import type { AnyOperator, OperatorCommand } from '../command/command.js';
import { UsageError } from '../command/command-error.js';
import { type FormChoice, formOf } from '../command/command-form.js';
import type { CommandInput } from '../command/command-input.js';
import type { CommandOption } from '../command/command-option.js';
import type { Given } from '../command/library-command.js';
import { type Columns, paragraphs, tableReport } from './report.js';

/** A command of the library that returns pages. */
type ListName = {
  [Name in CommandName]: ResultOf<Name> extends Page<unknown> ? Name : never;
}[CommandName];

type ItemOf<Name extends ListName> = ResultOf<Name> extends Page<infer Item> ? Item : never;

/** A list: its table, and what differs from the library's command. */
export interface ListCommandDeclaration<Name extends ListName, Row> extends FormChoice {
  /** By default, the summary of the library's command. */
  readonly summary?: string | undefined;
  /** Options beside those of the fields. */
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Completes the input, or throws a UsageError. */
  readonly complete?: (given: Given<Name>, input: CommandInput) => Given<Name>;
  /** Lists the items of all owners, if the line does not name one. */
  readonly all?: {
    readonly unless: string;
    read(operator: AnyOperator, given: Given<Name>): Promise<readonly ItemOf<Name>[]>;
  };
  /** The rows of the table, if they are not the items. `--json` prints the items. */
  readonly rows: (items: readonly ItemOf<Name>[]) => readonly Row[];
  readonly columns: Columns<Row>;
  /** The text without rows. */
  readonly empty: string | ((given: Given<Name>) => string);
  /** A paragraph between the table and the next page. */
  readonly note?: (given: Given<Name>) => string;
  /** A last paragraph. */
  readonly end?: (given: Given<Name>) => string;
}

/**
 * Returns the command for a list that prints one row for each item. Its options are the input fields that core's
 * `operator` defines for the list. `command/field-words.ts` names the options.
 */
export function listCommand<Name extends ListName>(
  name: Name,
  list: Omit<ListCommandDeclaration<Name, ItemOf<Name>>, 'rows'>,
): OperatorCommand {
  return rowsCommand(name, { ...list, rows: (items) => items });
}

/** Returns the command of a list. Ids of its filter must exist. */
export function rowsCommand<Name extends ListName, Row>(
  name: Name,
  list: ListCommandDeclaration<Name, Row>,
): OperatorCommand {
  const { options = {}, complete = (given) => given, all, rows, columns, empty, note, end } = list;
  const form = formOf(name, list);
  const read = async (operator: AnyOperator, given: Given<Name>, input: CommandInput) => {
    await form.assertIdsExist(operator, given);
    if (all === undefined || input.option(all.unless) !== undefined)
      return callCommand(operator, name, given) as Promise<Page<ItemOf<Name>>>;
    noPageWithout(all.unless, input);
    return all.read(operator, given);
  };
  return {
    library: name,
    summary: list.summary,
    arguments: form.arguments,
    options: { ...options, ...form.options },
    run: async (operator, input) => {
      const given = complete(form.read<Given<Name>>(input), input);
      const value = await read(operator, given, input);
      const { items, nextCursor } = 'items' in value ? value : { items: value, nextCursor: null };
      const noRows = typeof empty === 'string' ? empty : empty(given);
      const table = tableReport(rows(items), columns, noRows).text;
      const noted = paragraphs(table, note?.(given));
      return { value, text: paragraphs(withNext(noted, nextCursor), end?.(given)) };
    },
  };
}

/** Options of commands that list pages. */
const PAGE_OPTIONS = {
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
function noPageWithout(option: string, input: CommandInput): void {
  const given = Object.keys(PAGE_OPTIONS).find((name) => input.option(name) !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} needs --${option}.`);
}
