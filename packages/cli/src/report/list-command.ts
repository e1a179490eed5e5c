import type { Page, PageOptions } from '@partner-hiring/core';
import type { AnyOperator, OperatorCommand } from '../command/command.js';
import type { CommandInput } from '../command/command-input.js';
import type { CommandArgument, CommandOption } from '../command/command-option.js';
import { PAGE_OPTIONS, pageOf, withNext } from './pages.js';
import { type Columns, tableReport } from './report.js';

/** A list: its filter, its rows, and its table. */
export interface ListDeclaration<Item, Row> {
  /** By default, the summary of the library's command. */
  readonly summary?: string | undefined;
  readonly arguments?: readonly CommandArgument[];
  /** The filter. The options of a page come on their own. */
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Reads a page, or everything. Throws if the filter names an id that does not exist. */
  read(operator: AnyOperator, input: CommandInput, page: PageOptions): Promise<Page<Item> | readonly Item[]>;
  /** The rows of the table, if they are not the items. `--json` prints the items. */
  readonly rows: (items: readonly Item[]) => readonly Row[];
  readonly columns: Columns<Row>;
  /** The text without rows. */
  readonly empty: string | ((input: CommandInput) => string);
  /** A paragraph between the table and the next page. */
  note?(input: CommandInput): string;
  /** A last paragraph. */
  end?(input: CommandInput): string;
}

/** Returns the command of a list whose rows are its items. */
export function listCommand<Row>(list: Omit<ListDeclaration<Row, Row>, 'rows'>): OperatorCommand {
  return rowsCommand({ ...list, rows: (items) => items });
}

/** Returns the command of a list. */
export function rowsCommand<Item, Row>(list: ListDeclaration<Item, Row>): OperatorCommand {
  const { summary, arguments: names = [], options = {}, rows, columns, empty, note, end } = list;
  return {
    summary,
    arguments: names,
    options: { ...options, ...PAGE_OPTIONS },
    run: async (operator, input) => {
      const value = await list.read(operator, input, pageOf(input));
      const { items, nextCursor } = 'items' in value ? value : { items: value, nextCursor: null };
      const noRows = typeof empty === 'string' ? empty : empty(input);
      const table = tableReport(rows(items), columns, noRows).text;
      const noted = paragraphs(table, note?.(input));
      return { value, text: paragraphs(withNext(noted, nextCursor), end?.(input)) };
    },
  };
}

function paragraphs(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join('\n\n');
}
