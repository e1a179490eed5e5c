import type { Page } from '@partner-hiring/core';
import type { PageContent } from '../../http/screen.js';
import { choiceIn } from '../../screens/parts/choices.js';
import { type Column, DataTable, Pager } from '../../view/data-table.js';
import { FilterForm, SelectField } from '../../view/forms.js';
import type { PortalCall } from '../portal-call.js';

/** A menu that filters a list. Its value is in the address, so it must not be a text that a person typed. */
export interface OwnFilter {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  /** The empty choice. Without it, the first option is chosen. */
  readonly any?: string | undefined;
}

/** A list of rows with its filter. */
export interface OwnList<Row> {
  readonly title: string;
  readonly path: string;
  readonly filters: readonly OwnFilter[];
  readonly caption: string;
  readonly empty: string;
  readonly columns: readonly Column<Row>[];
  readonly page: Page<Row>;
  /** The content above the filter. */
  readonly before?: PageContent['body'];
  /** The content after the list. */
  readonly after?: PageContent['body'];
}

/**
 * Shows a list: its filter, the table, and links to its pages with the same filter.
 * @throws OperatorError `INVALID_INPUT` if the filter has a value that is not among its options.
 */
export function showOwnList<Row>(call: PortalCall, list: OwnList<Row>): PageContent {
  const { title, path, caption, empty, columns, page, before = null, after = null } = list;
  const filters = list.filters.filter(({ options }) => options.length > 0);
  const kept = Object.fromEntries(filters.map((filter) => [filter.name, chosenIn(filter, call)]));
  const isChosen = Object.values(kept).some((value) => value !== null);
  const body = (
    <>
      {before}
      {filters.length === 0 ? null : (
        <FilterForm action={call.at(path)} submit="Filter" isChosen={isChosen}>
          {filters.map(({ name, label, options, any }) => (
            <SelectField name={name} label={label} options={options} any={any} value={kept[name] ?? null} />
          ))}
        </FilterForm>
      )}
      <DataTable caption={caption} empty={empty} rows={page.items} columns={columns} />
      <Pager
        first={call.query.text('cursor') === null ? null : call.at(path, kept)}
        next={page.nextCursor === null ? null : call.at(path, { ...kept, cursor: page.nextCursor })}
      />
      {after}
    </>
  );
  return { kind: 'page', title, body };
}

function chosenIn({ name, options }: OwnFilter, { query }: PortalCall): string | null {
  const values = options.map(([value]) => value);
  return choiceIn(values, query.text(name)) ?? null;
}

/** The cursor of a request for a page of a list. */
export function ownCursorOf(call: PortalCall): string | undefined {
  return call.query.text('cursor') ?? undefined;
}
