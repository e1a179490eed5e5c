import type { KeyView, Page } from '@partner-hiring/core';
import { listKeysInScope } from '../../gate/keys-in-scope.js';
import { errorPage } from '../../http/error-pages.js';
import type { ExportList, Fields, Redirection, ScreenAction, ScreenCall } from '../../http/screen.js';
import type { Column } from '../../view/data-table.js';
import { HiddenFields, SubmitButton } from '../../view/forms.js';
import { cellText } from './cell-text.js';
import type { FilterField } from './filter-field.js';

/**
 * The places where a spreadsheet could find a formula: at the start, and after each separator, because a spreadsheet of
 * another locale splits the cell there. Some spreadsheets ignore quotes, blanks and invisible characters before a sign. A
 * separator at the end counts too: the closing quote could begin a cell. `docs/host-guide.md` has a copy for hosts.
 */
const FORMULA =
  /^(?=[\r\n])|(?<=^|[,;|\p{Cc}\p{Zl}\p{Zp}])(?=[\p{Zs}\p{DI}"]*(?:[=+\-@\t＝＋－＠]|\r(?!\n)|(?<!^)$))/gu;

/** Writes a cell that every spreadsheet shows as text. Each formula in it gets a single quote before it. */
export function csvCell(text: string): string {
  return `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`;
}

/** Writes a line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A list, as far as an export needs it. */
export interface ExportedList<Row> {
  readonly title: string;
  readonly path: string;
  readonly fields: readonly Pick<FilterField, 'name' | 'kind' | 'leads'>[];
  read(
    call: ScreenCall,
    fields: Fields,
    keys: readonly KeyView[],
  ): Promise<
    ExportedPage<Row> | { readonly problem: string; readonly status?: 200 | 400 | 403 | 404 } | Redirection
  >;
}

interface ExportedPage<Row> extends Page<Row> {
  readonly columns: readonly Column<Row>[];
  readonly file?: string;
}

/** An export has at most this many rows. */
export const MOST_EXPORTED = 10_000;

/** Spreadsheets read UTF-8 only after this sign. */
const BYTE_ORDER_MARK = '\ufeff';

const THE_END = `The export ends here: it has at most ${MOST_EXPORTED.toLocaleString('en-US')} rows. Filter the list to export other rows.`;

interface ExportFormProps {
  readonly call: ScreenCall;
  readonly path: string;
  /** The filter. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
}

/** The button that downloads what a list shows. Null for an actor who may not export. */
export function ExportForm({ call, path, fields = [] }: ExportFormProps) {
  if (!call.gate.may('lists:export')) return null;
  return (
    <form class="pager" method="post" action={call.at(`${path}.csv`)}>
      <HiddenFields fields={fields} />
      <SubmitButton label="Download CSV" />
      <small>{`As shown, up to ${MOST_EXPORTED.toLocaleString('en-US')} rows. The audit records it.`}</small>
    </form>
  );
}

/** Returns the keys that the filter of a list offers. */
export async function keysOf(
  fields: readonly Pick<FilterField, 'kind'>[],
  { gate }: ScreenCall,
): Promise<readonly KeyView[]> {
  const hasKeys = fields.some(({ kind }) => kind === 'key' || kind === 'owner' || kind === 'partner');
  return hasKeys ? listKeysInScope(gate) : [];
}

/**
 * Exports a list as CSV: its rows and columns as the screen shows them, masked alike. Reads one page after the other
 * while the browser takes them. The audit has the export before the first row leaves.
 */
export function exportCsv<Row>(list: ExportedList<Row>): ExportList {
  return async (call) => {
    const { gate, form } = call;
    gate.require('lists:export');
    const keys = await keysOf(list.fields, call);
    const first = await list.read(call, withCursor(form, null), keys);
    if ('kind' in first) return first;
    if ('problem' in first) {
      const status = first.status === 200 ? 403 : first.status;
      return errorPage(status ?? 400, list.title, first.problem);
    }
    const name = list.path.slice(1).replaceAll('/', '-');
    const { partnerIds } = gate.actor;
    await gate.call('audit.recordExport', {
      list: name,
      filter: recordedFilter(list, form),
      partnerIds: partnerIds === 'all' ? undefined : partnerIds,
    });
    return { kind: 'file', name: `${first.file ?? name}.csv`, chunks: chunksOf(list, call, keys, first) };
  };
}

/** Leaves out texts, because they may be personal data. */
function recordedFilter<Row>({ fields }: ExportedList<Row>, form: Fields): Record<string, string> {
  const given = fields.flatMap(({ name, kind, leads = false }) => {
    const value = form.text(name);
    return value === null || leads || kind === 'text' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

function withCursor(fields: Fields, cursor: string | null): Fields {
  return { ...fields, text: (name) => (name === 'cursor' ? cursor : fields.text(name)) };
}

async function* chunksOf<Row>(
  list: ExportedList<Row>,
  call: ScreenAction,
  keys: readonly KeyView[],
  first: ExportedPage<Row>,
): AsyncGenerator<string, void> {
  const headers = shownColumns(first).map(({ header }) => header);
  yield `${BYTE_ORDER_MARK}${csvLine(headers)}`;
  let page = first;
  let left = MOST_EXPORTED;
  for (;;) {
    const rows = page.items.slice(0, left);
    yield await linesOf(rows, page);
    left -= rows.length;
    if (page.nextCursor === null && rows.length === page.items.length) return;
    if (left === 0) return yield csvLine([THE_END]);
    const next = await list.read(call, withCursor(call.form, page.nextCursor), keys);
    if ('kind' in next || 'problem' in next) throw new Error(`The list ${list.title} ended early.`);
    page = next;
  }
}

function shownColumns<Row>({ columns }: ExportedPage<Row>) {
  return columns.flatMap((column) => (column.isScreenOnly === true ? [] : (column.exported ?? [column])));
}

async function linesOf<Row>(rows: readonly Row[], page: ExportedPage<Row>): Promise<string> {
  const columns = shownColumns(page);
  const lines = rows.map(async (row) =>
    csvLine(await Promise.all(columns.map(({ cell }) => cellText(cell(row))))),
  );
  return (await Promise.all(lines)).join('');
}
