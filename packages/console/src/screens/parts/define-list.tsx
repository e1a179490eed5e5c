import type { KeyView, Page } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { LibraryIdKind } from '../../http/library-id.js';
import type { ExportList, Fields, PageContent, Redirection, ScreenCall } from '../../http/screen.js';
import { type Column, DataTable, Pager, PostedPager } from '../../view/data-table.js';
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
import { KeyField, PartnerField } from './key-field.js';

/** The options of a choice. */
export type Options = readonly (readonly [value: string, label: string])[];

/** Options that were read. */
export interface LoadedOptions {
  readonly options: Options;
  /** Says that there are more, and how to find them. */
  readonly hint?: string | undefined;
}

export type LoadOptions = (call: ScreenCall) => Promise<LoadedOptions>;

/** A field that filters a list. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  /**
   * The kind of the value: a choice, an id of the library, an instant, one of the partner keys or partners, or a text.
   * Only a list whose filter is posted may have a text.
   */
  readonly kind: 'choice' | 'instant' | 'key' | 'partner' | 'text' | { readonly idOf: LibraryIdKind };
  readonly options?: Options;
  /** Reads the options of a choice, which are names. Shows another value, which a link has set, by its id. */
  readonly load?: LoadOptions;
  /** The empty choice. Default: `Any`. */
  readonly any?: string;
  readonly hint?: string | undefined;
  /** Shows the field in another way than its kind does. */
  readonly show?: (value: string | null) => Child;
  /** Whether only links of other pages set the field. The form then shows and keeps it. */
  readonly isPinned?: boolean;
  /** Whether the field leads to another page, so that the links to the list's other pages leave it out. */
  readonly leads?: boolean;
}

type TextOf<Rule> = Rule extends FilterRule
  ? Omit<Rule, 'text'> & { readonly text: string | ((labels: readonly string[]) => string) }
  : never;

/** A rule of a filter. Its text may name the fields of the form that it is about: only those that the form shows. */
export type DeclaredRule = TextOf<FilterRule>;

/** The page of a list, with its texts. */
export interface ListResult<Row> extends Page<Row> {
  readonly caption: string;
  readonly empty: string;
  /** Says that there is no row at all. Stands for `empty` if no filter is set. */
  readonly none?: string;
  readonly columns: readonly Column<Row>[];
  /** Puts the table into a form, for example. */
  readonly around?: (table: Child) => Child;
  /** The fields that the button to the next page posts, if it is not a link. Default with a posted filter: the filter's fields. */
  readonly posted?: readonly (readonly [name: string, value: string])[] | undefined;
  /** The content after the pager. */
  readonly after?: Child;
}

/** Why a list shows nothing. */
export interface ListProblem {
  readonly problem: string;
  readonly status?: 200 | 400 | 403 | 404;
}

/** A list of rows with its filter. */
export interface ListDeclaration<Row> {
  readonly title: string;
  readonly path: string;
  readonly fields: readonly FilterField[];
  /** Which fields can be combined. */
  readonly rules?: readonly DeclaredRule[];
  /** Whether the filter is posted, so that it is not in the address. */
  readonly isPosted?: boolean;
  /** Whether the list can be exported. Default: true. */
  readonly isExported?: boolean;
  /** Reads the rows. `fields` has the filter and the cursor. */
  read(
    call: ScreenCall,
    fields: Fields,
    keys: readonly KeyView[],
  ): Promise<ListResult<Row> | ListProblem | Redirection>;
  /** Wraps the form of the filter. */
  filter?(form: Child, call: ScreenCall): Child;
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

/** Shows a list: the form of its filter, the table, and links to its pages with the same filter. */
export function defineList<Row>(list: ListDeclaration<Row>): ShowList {
  const show = async (call: ScreenCall, fields = call.query): Promise<PageContent | Redirection> => {
    const keys = await keysOf(list, call);
    const found = await list.read(call, fields, keys);
    if ('kind' in found) return found;
    const { title, filter = (form) => form } = list;
    const shown = { list, call, fields };
    const declared = await Promise.all(list.fields.map((field) => withOptions(field, call)));
    const form =
      declared.length === 0
        ? null
        : filter(<FilterOf {...shown} declared={declared} keys={keys} isOpen={'problem' in found} />, call);
    const isProblem = 'problem' in found;
    const body = (
      <>
        {form}
        {isProblem ? <Problem {...found} /> : <Results {...shown} found={found} />}
      </>
    );
    return { kind: 'page', title, body, status: isProblem ? (found.status ?? 400) : 200 };
  };
  return Object.assign(show, { csv: exportCsv(list) });
}

interface Shown<Row> {
  readonly list: ListDeclaration<Row>;
  readonly call: ScreenCall;
  readonly fields: Fields;
}

function Problem({ problem, status }: ListProblem) {
  return <Note tone={status === 200 ? 'calm' : 'warn'}>{problem}</Note>;
}

function FilterOf<Row>({
  list: { path, rules = [], isPosted = false },
  declared,
  call,
  fields,
  keys,
  isOpen,
}: Shown<Row> & {
  readonly declared: readonly FilterField[];
  readonly keys: readonly KeyView[];
  readonly isOpen: boolean;
}) {
  return (
    <FilterForm
      action={call.at(path)}
      submit="Filter"
      method={isPosted ? 'post' : 'get'}
      rules={rulesFor(rules, declared, fields)}
      isOpen={isOpen}
      isChosen={declared.some(({ name }) => fields.text(name) !== null)}
    >
      {declared.map((field) => fieldOf(field, fields.text(field.name), keys))}
    </FilterForm>
  );
}

/** Leaves out the rules about fields that the form does not show. */
function rulesFor(
  rules: readonly DeclaredRule[],
  declared: readonly FilterField[],
  fields: Fields,
): readonly FilterRule[] {
  const shown = declared.filter((field) => isShown(field, fields.text(field.name)));
  return rules.flatMap((rule) => {
    const [names, least] = 'need' in rule ? [rule.need, 1] : [rule.atMostOne, 2];
    const labels = shown.filter(({ name }) => names.includes(name)).map(({ label }) => label);
    const text = typeof rule.text === 'string' ? rule.text : rule.text(labels);
    return labels.length < least ? [] : [{ ...rule, text }];
  });
}

/** Whether the form has a field: one that only links set or without options is shown only with a value. */
function isShown({ isPinned = false, load, options = [] }: FilterField, value: string | null): boolean {
  return value !== null || (!isPinned && (load === undefined || options.length > 0));
}

async function withOptions(field: FilterField, call: ScreenCall): Promise<FilterField> {
  return field.load === undefined ? field : { ...field, ...(await field.load(call)) };
}

function fieldOf(
  { kind, name, label, hint, any = 'Any', options = [], show, load, isPinned = false }: FilterField,
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
      return <SelectField {...field} any={any} options={options} />;
    case 'instant':
      return <TextField {...field} type="datetime-local" />;
    case 'key':
      return <KeyField name={name} label={label} keys={keys} any={any} value={value} />;
    case 'partner':
      return <PartnerField name={name} label={label} keys={keys} any={any} value={value} />;
    case 'text':
      return <TextField {...field} maxLength={200} />;
  }
}

function Results<Row>({
  list: { path, fields: declared, isPosted = false, isExported = true },
  call,
  fields,
  found,
}: Shown<Row> & { readonly found: ListResult<Row> }) {
  const {
    items,
    nextCursor,
    caption,
    empty,
    none = empty,
    columns,
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
      {around(<DataTable caption={caption} empty={isWhole ? none : empty} rows={items} columns={columns} />)}
      {posted === undefined ? (
        <ListPager call={call} path={path} kept={Object.fromEntries(kept)} next={nextCursor} />
      ) : (
        <PostedPager action={call.at(path)} fields={posted} next={nextCursor} />
      )}
      {isExported && items.length > 0 && call.gate.may('lists:export') ? (
        <ExportForm call={call} path={path} fields={posted ?? given} />
      ) : null}
      {after}
    </>
  );
}

/** Links to the first and the next page of a list, with the same filter. */
export function ListPager({
  call,
  path,
  kept = {},
  next,
  name = 'cursor',
}: {
  readonly call: ScreenCall;
  readonly path: string;
  /** The filter. */
  readonly kept?: Readonly<Record<string, string | null>>;
  /** The cursor of the next page. Null on the last page. */
  readonly next: string | null;
  /** The parameter with the cursor. */
  readonly name?: string;
}) {
  return (
    <Pager
      first={call.query.text(name) === null ? null : call.at(path, kept)}
      next={next === null ? null : call.at(path, { ...kept, [name]: next })}
    />
  );
}
