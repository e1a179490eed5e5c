import type { Child } from 'hono/jsx';
import { SubmitButton } from '../view/forms.js';
import { HiddenFields } from './forms.js';
import { isBlank, None } from './parts.js';

/** A column of a table. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => Child;
  /** For counts and durations. */
  readonly isNumber?: boolean;
  /** For sentences: a phone writes the header above the value. */
  readonly isWide?: boolean;
  /** Whether an export leaves the column out, because its cells only have buttons or boxes. */
  readonly isScreenOnly?: boolean;
  /** The columns that an export has in place of this one. */
  readonly exported?: readonly Column<Row>[];
}

/**
 * The default roles of the elements. They are set explicitly, because browsers drop them when the style makes the
 * elements blocks.
 */
const ROLES = {
  table: { role: 'table' },
  thead: { role: 'rowgroup' },
  tbody: { role: 'rowgroup' },
  tr: { role: 'row' },
  th: { role: 'columnheader' },
  td: { role: 'cell' },
} as const;

interface DataTableProps<Row> {
  /** Says what the table shows. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The sentence for a table without rows. */
  readonly empty: string;
}

/**
 * A table. On a narrow screen, each row becomes a block with the headers beside the values. Explicit roles keep it a
 * table for screen readers then.
 */
export function DataTable<Row>({ caption, columns, rows, empty }: DataTableProps<Row>) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <section class="scroll" aria-label={caption} tabindex={0}>
      <table {...ROLES.table}>
        <caption>{caption}</caption>
        <thead {...ROLES.thead}>
          <tr {...ROLES.tr}>
            {columns.map(({ header, isNumber }) => (
              <th {...ROLES.th} scope="col" class={isNumber === true ? 'number' : undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.tbody}>
          {rows.map((row) => (
            <tr {...ROLES.tr}>
              {columns.map(({ header, cell, isNumber, isWide }) => (
                <td
                  {...ROLES.td}
                  data-label={header}
                  class={isNumber ? 'number' : isWide ? 'wide' : undefined}
                >
                  <span>{cellOf(cell(row))}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellOf(content: Child): Child {
  return isBlank(content) ? <None /> : content;
}

interface PagerProps {
  /** The first page, if this is another one. */
  readonly first: string | null;
  /** Null on the last page. */
  readonly next: string | null;
}

/** Links to the first and the next page of a list. */
export function Pager({ first, next }: PagerProps) {
  if (first === null && next === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {first === null ? null : <a href={first}>First page</a>}
      {next === null ? null : (
        <a href={next} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}

interface PostedPagerProps {
  readonly action: string;
  /** The search. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The cursor of the next page. Null on the last page. */
  readonly next: string | null;
}

/** A button to the next page of a search. It uses POST, so the searched text stays in the body of the request. */
export function PostedPager({ action, fields, next }: PostedPagerProps) {
  if (next === null) return null;
  return (
    <form class="pager" method="post" action={action}>
      <HiddenFields fields={[...fields, ['cursor', next]]} />
      <SubmitButton label="Next page" />
    </form>
  );
}
