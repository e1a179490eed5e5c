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
  /** Whether an export leaves the column out, because its cells only have boxes. */
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
  /** The acts on a row, which are in its menu. */
  readonly acts?: ActsOf<Row> | undefined;
}

/** An act on a row: a button that sends a POST, with at most one field. */
export interface RowAct {
  readonly action: string;
  readonly label: string;
  readonly field?: readonly [name: string, value: string] | undefined;
}

/** Returns the acts on a row that its state and the actor's rights allow. */
export type ActsOf<Row> = (row: Row) => readonly RowAct[];

/**
 * A table. On a narrow screen, each row becomes a block with the headers beside the values. Explicit roles keep it a
 * table for screen readers then.
 */
export function DataTable<Row>({ caption, columns, rows, empty, acts }: DataTableProps<Row>) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const actsOf = rows.map((row) => acts?.(row) ?? []);
  const hasMenus = actsOf.some(({ length }) => length > 0);
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
            {hasMenus ? <th {...ROLES.th} scope="col" aria-label={MENU} /> : null}
          </tr>
        </thead>
        <tbody {...ROLES.tbody}>
          {rows.map((row, index) => (
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
              {hasMenus ? (
                <td {...ROLES.td} class="menu">
                  <Menu id={`${caption} ${index}`.replaceAll(' ', '-')} acts={actsOf[index] ?? []} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const MENU = 'Actions';

/** The form of all menus. A table may be in a form of its own, and forms cannot be nested. */
export const MENU_FORM = 'acts-on-rows';

/** A button that opens the acts on a row. It needs no script. */
function Menu({ id, acts }: { readonly id: string; readonly acts: readonly RowAct[] }) {
  if (acts.length === 0) return null;
  return (
    <>
      <button type="button" popovertarget={id} aria-label={MENU} title={MENU}>
        ⋯
      </button>
      <div id={id} popover="auto" class="acts">
        {acts.map(({ action, label, field }) => (
          <button
            type="submit"
            class="link"
            form={MENU_FORM}
            formaction={action}
            name={field?.[0]}
            value={field?.[1]}
          >
            {label}
          </button>
        ))}
      </div>
    </>
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
