import type { KeyView, Page } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type {
  ExportList,
  Fields,
  PageCall,
  PageContent,
  Redirection,
  ScreenCall,
} from '../../http/screen.js';
import { type ActsOf, type Column, DataTable, Pager, PostedPager } from '../../view/data-table.js';
import {
  FilterForm,
  type FilterRule,
  IdField,
  PinnedField,
  SelectField,
  TextField,
} from '../../view/forms.js';
import { Note } from '../../view/parts.js';
import { ExportForm, exportCsv, keysOf } from './export-csv.js';
import type { DeclaredRule, FilterField } from './filter-field.js';
import { KeyField, OwnerField } from './key-field.js';

/** The page of a list, with its texts. */
export interface ListResult<Row> extends Page<Row> {
  readonly caption: string;
  /** The name of an exported file, without its ending. Default: from the path. */
  readonly file?: string;
  readonly empty: string;
  /** Says that there is no row at all. Stands for `empty` if no filter is set. */
  readonly none?: string;
  readonly columns: readonly Column<Row>[];
  readonly acts?: ActsOf<Row>;
  /** Puts the table into a form, for example. */
  readonly around?: (table: Child) => Child;
  /** The fields that the button to the next page posts, if it is not a link. Default with a posted filter: the filter's fields. */
  readonly posted?: readonly (readonly [name: string, value: string])[] | undefined;
  /** The content before the filter. */
  readonly before?: Child;
  /** The content after the pager. */
  readonly after?: Child;
}

/** Why a list shows nothing. */
export interface ListProblem {
  readonly problem: string;
  readonly status?: 200 | 400 | 403 | 404;
}

/** A list of rows with its filter. */
export interface ListDeclaration<Row, Call = ScreenCall> {
  readonly title: string;
  readonly path: string;
  readonly fields: readonly FilterField<Call>[];
  /** Which fields can be combined. */
  readonly rules?: readonly DeclaredRule[];
  /** Whether the filter is posted, so that it is not in the address. */
  readonly isPosted?: boolean;
  /** Reads the rows. `fields` has the filter and the cursor. */
  read(
    call: Call,
    fields: Fields,
    keys: readonly KeyView[],
  ): Promise<ListResult<Row> | ListProblem | Redirection>;
  /** Wraps the form of the filter, which is null without fields. */
  filter?(form: Child, call: Call): Child;
}

/** The cursor of a request for a page of a list. */
export function cursorOf(fields: Fields): string | undefined {
  return fields.text('cursor') ?? undefined;
}

/** Shows a list, and exports it. */
export interface ShowList {
  (call: ScreenCall, fields?: Fields): Promise<PageContent | Redirection>;
  readonly csv: ExportList;
}

/** What the lists of the console have, and those of the portal do not. */
export interface ListParts<Call> {
  /** Reads the keys that the fields of the filter offer. */
  keysOf(fields: readonly FilterField<Call>[], call: Call): Promise<readonly KeyView[]>;
  /** The button that exports the list. Null if the actor may not. */
  exportForm(call: Call, path: string, fields: readonly (readonly [string, string])[]): Child;
}

const CONSOLE: ListParts<ScreenCall> = {
  keysOf,
  exportForm: (call, path, fields) => <ExportForm call={call} path={path} fields={fields} />,
};

/** Shows a list: the form of its filter, the table, and links to its pages with the same filter. */
export function defineList<Row>(list: ListDeclaration<Row>): ShowList {
  return Object.assign(showList(list, CONSOLE), { csv: exportCsv(list) });
}

/** Like `defineList`, for another kind of pages. */
export function showList<Row, Call extends PageCall>(
  list: ListDeclaration<Row, Call>,
  parts: ListParts<Call>,
) {
  return async (call: Call, fields = call.query): Promise<PageContent | Redirection> => {
    const keys = await parts.keysOf(list.fields, call);
    const found = await list.read(call, fields, keys);
    if ('kind' in found) return found;
    const { title, filter = (form) => form } = list;
    const shown = { list, call, fields, parts };
    const loaded = await Promise.all(list.fields.map((field) => withOptions(field, call)));
    const declared = loaded.filter((field) => isShown(field, fields.text(field.name)));
    const form =
      declared.length === 0
        ? null
        : filter(<FilterOf {...shown} declared={declared} keys={keys} isOpen={'problem' in found} />, call);
    const isProblem = 'problem' in found;
    const body = (
      <>
        {isProblem ? null : found.before}
        {form}
        {isProblem ? <Problem {...found} /> : <Results {...shown} found={found} />}
      </>
    );
    return { kind: 'page', title, body, status: isProblem ? (found.status ?? 400) : 200 };
  };
}

interface Shown<Row, Call> {
  readonly list: ListDeclaration<Row, Call>;
  readonly call: Call;
  readonly fields: Fields;
  readonly parts: ListParts<Call>;
}

function Problem({ problem, status }: ListProblem) {
  return <Note tone={status === 200 ? 'calm' : 'warn'}>{problem}</Note>;
}

function FilterOf<Row, Call extends PageCall>({
  list: { path, rules = [], isPosted = false },
  declared,
  call,
  fields,
  keys,
  isOpen,
}: Shown<Row, Call> & {
  readonly declared: readonly FilterField<Call>[];
  readonly keys: readonly KeyView[];
  readonly isOpen: boolean;
}) {
  return (
    <FilterForm
      action={call.at(path)}
      submit="Filter"
      method={isPosted ? 'post' : 'get'}
      rules={rulesFor(rules, declared)}
      isOpen={isOpen}
      isChosen={declared.some(({ name }) => fields.text(name) !== null)}
    >
      {declared.map((field) => fieldOf(field, fields.text(field.name), keys))}
    </FilterForm>
  );
}

/** Leaves out the rules about fields that the form does not show. */
function rulesFor<Call>(
  rules: readonly DeclaredRule[],
  declared: readonly FilterField<Call>[],
): readonly FilterRule[] {
  return rules.flatMap((rule) => {
    const [names, least] = 'need' in rule ? [rule.need, 1] : [rule.atMostOne, 2];
    const labels = declared.filter(({ name }) => names.includes(name)).map(({ label }) => label);
    const text = typeof rule.text === 'string' ? rule.text : rule.text(labels);
    return labels.length < least ? [] : [{ ...rule, text }];
  });
}

/** Whether the form has a field: one that only links set or without options is shown only with a value. */
function isShown<Call>(
  { isPinned = false, load, options = [] }: FilterField<Call>,
  value: string | null,
): boolean {
  return value !== null || (!isPinned && (load === undefined || options.length > 0));
}

async function withOptions<Call>(field: FilterField<Call>, call: Call): Promise<FilterField<Call>> {
  return field.load === undefined ? field : { ...field, ...(await field.load(call)) };
}

function fieldOf<Call>(
  { kind, name, label, hint, any = 'Any', options = [], show, load, isPinned = false }: FilterField<Call>,
  value: string | null,
  keys: readonly KeyView[],
): Child {
  const field = { name, label, value, hint };
  const isNamed = load === undefined || options.some(([option]) => value === null || option === value);
  if (isPinned || !isNamed)
    return value === null ? null : <PinnedField name={name} label={label} value={value} />;
  if (show !== undefined) return show(value);
  if (typeof kind === 'object') return <IdField of={kind.idOf} {...field} />;
  switch (kind) {
    case 'choice':
      return <SelectField {...field} any={any ?? undefined} options={options} />;
    case 'instant':
      return <TextField {...field} type="datetime-local" />;
    case 'key':
      return <KeyField name={name} label={label} keys={keys} any={any ?? 'Any'} value={value} />;
    case 'partner':
    case 'owner':
      return (
        <OwnerField
          hasKeys={kind === 'owner'}
          name={name}
          label={label}
          keys={keys}
          any={any ?? 'Any'}
          value={value}
        />
      );
    case 'text':
      return <TextField {...field} maxLength={200} />;
  }
}

function Results<Row, Call extends PageCall>({
  list: { path, fields: declared, isPosted = false },
  call,
  fields,
  parts,
  found,
}: Shown<Row, Call> & { readonly found: ListResult<Row> }) {
  const {
    items,
    nextCursor,
    caption,
    empty,
    none = empty,
    columns,
    acts,
    around = (table) => table,
    after = null,
  } = found;
  const kept = declared.flatMap(({ name, leads = false }) =>
    leads ? [] : [[name, fields.text(name)] as const],
  );
  const given = kept.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  const isWhole = given.length === 0 && cursorOf(fields) === undefined;
  const posted = isPosted ? fields.entries().filter(([name]) => name !== 'cursor') : found.posted;
  return (
    <>
      {around(
        <DataTable
          caption={caption}
          empty={isWhole ? none : empty}
          rows={items}
          columns={columns}
          acts={acts}
        />,
      )}
      {posted === undefined ? (
        <ListPager call={call} path={path} kept={Object.fromEntries(kept)} next={nextCursor} />
      ) : (
        <PostedPager action={call.at(path)} fields={posted} next={nextCursor} />
      )}
      {items.length > 0 ? parts.exportForm(call, path, posted ?? given) : null}
      {after}
    </>
  );
}

interface ListPagerProps {
  readonly call: PageCall;
  readonly path: string;
  /** The filter. */
  readonly kept?: Readonly<Record<string, string | null>>;
  /** The cursor of the next page. Null on the last page. */
  readonly next: string | null;
  /** The parameter with the cursor. */
  readonly name?: string;
}

/** Links to the first and the next page of a list, with the same filter. */
export function ListPager({ call, path, kept = {}, next, name = 'cursor' }: ListPagerProps) {
  return (
    <Pager
      first={call.query.text(name) === null ? null : call.at(path, kept)}
      next={next === null ? null : call.at(path, { ...kept, [name]: next })}
    />
  );
}
