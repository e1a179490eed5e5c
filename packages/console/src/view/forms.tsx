import type { Child } from 'hono/jsx';
import { type LibraryIdKind, libraryIdPattern } from '../http/library-id.js';
import type { FormCall, PageCall, PageContent } from '../http/screen.js';
import { LABELS } from '../labels.js';
import { Id } from './ids.js';
import { FactList, type FactRow, Note } from './parts.js';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | null;
  readonly hint?: string | undefined;
}

/** A text field with its label. */
export function TextField({
  name,
  label,
  value = null,
  hint,
  error,
  type = 'text',
  isRequired = false,
  maxLength = 500,
  pattern,
}: FieldProps & {
  /** Why the value was refused. */
  readonly error?: string | undefined;
  readonly type?: 'text' | 'search' | 'url' | 'email' | 'number' | 'datetime-local';
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** Browsers send the form only if the text matches, with or without scripting. */
  readonly pattern?: string;
}) {
  const hintId = hint === undefined ? undefined : `${name}-hint`;
  const errorId = error === undefined ? undefined : `${name}-error`;
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        value={value ?? ''}
        required={isRequired}
        maxlength={type === 'datetime-local' || type === 'number' ? undefined : maxLength}
        pattern={pattern}
        title={pattern === undefined ? undefined : `${label}, such as the console shows it`}
        autocomplete="off"
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={errorId ?? hintId}
      />
      {error === undefined ? null : (
        <small id={errorId} class="error" role="alert">
          {error}
        </small>
      )}
      {hint === undefined ? null : <small id={hintId}>{hint}</small>}
    </p>
  );
}

/** A field for an id of the library. It accepts nothing else, so it may be in a form whose fields end up in a URL. */
export function IdField({ of, ...field }: FieldProps & { readonly of: LibraryIdKind }) {
  return <TextField {...field} maxLength={200} pattern={libraryIdPattern(of)} />;
}

interface SelectFieldProps extends FieldProps {
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly any?: string | undefined;
}

/** A choice with its label. The first option is the empty one if `any` is given. */
export function SelectField({ name, label, value = null, hint, options, any }: SelectFieldProps) {
  const hintId = hint === undefined ? undefined : `${name}-hint`;
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} aria-describedby={hintId}>
        {any === undefined ? null : <option value="">{any}</option>}
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
      {hint === undefined ? null : <small id={hintId}>{hint}</small>}
    </p>
  );
}

/** Which fields of a filter can be combined. Scripting disables the others; the answer to the form explains them. */
export type FilterRule =
  | { readonly atMostOne: readonly string[]; readonly text: string }
  /** These fields need one of those. */
  | { readonly these: readonly string[]; readonly need: readonly string[]; readonly text: string };

/**
 * A form that filters a list, folded on a phone, so that the results come first. With `get`, its fields end up in the URL of
 * the list, so they must be choices, instants or ids of the library.
 */
export function FilterForm({
  action,
  submit,
  method = 'get',
  rules = [],
  isChosen,
  isOpen = false,
  children,
}: {
  readonly action: string;
  readonly submit: string;
  readonly method?: 'get' | 'post';
  readonly rules?: readonly FilterRule[];
  /** Whether a field is filled in. */
  readonly isChosen: boolean;
  /** Whether the form needs to be mended, so that a phone shows it at once. */
  readonly isOpen?: boolean;
  readonly children?: Child;
}) {
  return (
    <details class="filter card" open={isOpen}>
      <summary>{isChosen ? 'Filter (active)' : 'Filter'}</summary>
      <form
        class="filters"
        method={method}
        action={action}
        data-rules={rules.length === 0 ? undefined : JSON.stringify(rules)}
      >
        <div class="fields">
          {children}
          <p class="buttons">
            <button type="submit">{submit}</button>
            {isChosen ? <a href={action}>Clear</a> : null}
          </p>
        </div>
        {rules.length === 0 ? null : <p class="hint">{rules.map(({ text }) => text).join(' ')}</p>}
      </form>
    </details>
  );
}

interface PinnedFieldProps extends Pick<FieldProps, 'name' | 'label'> {
  readonly value: string;
}

/** A part of a filter that another page has set. It is kept, and cannot be changed here. */
export function PinnedField({ name, label, value }: PinnedFieldProps) {
  return (
    <p class="field pinned">
      <span>{label}</span>
      <HiddenFields fields={[[name, value]]} />
      {value.includes('_') || value.includes('-') ? <Id value={value} /> : <strong>{value}</strong>}
    </p>
  );
}

/** Fields that are sent but not shown. */
export function HiddenFields({ fields }: { readonly fields: readonly (readonly [string, string])[] }) {
  return fields.map(([name, value]) => <input type="hidden" name={name} value={value} />);
}

interface ActionButtonProps {
  readonly action: string;
  readonly label: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly tone?: 'primary' | 'secondary' | 'danger' | 'link';
  /** The page shows this text with its progress after a second without an answer. */
  readonly slow?: string | undefined;
}

/** A button that sends a POST. */
export function ActionButton({ action, label, fields = {}, tone = 'secondary', slow }: ActionButtonProps) {
  return (
    <form class="action" method="post" action={action} data-slow={slow}>
      <HiddenFields fields={Object.entries(fields)} />
      <button type="submit" class={tone}>
        {label}
      </button>
    </form>
  );
}

interface SubmitButtonProps {
  readonly label: string;
  /** The address to send the form to; default: that of the form. */
  readonly to?: string;
  /** A field that only this button sends. */
  readonly name?: string | undefined;
}

/** A button that sends its form, beside a more important one or for an act that asks first. */
export function SubmitButton({ label, to, name }: SubmitButtonProps) {
  return (
    <button type="submit" class="secondary" formaction={to} name={name} value={name && 'yes'}>
      {label}
    </button>
  );
}

/** Ticks every box of its form that is shown. Only scripting can, so the script shows the button. */
export function ChooseAllButton() {
  return (
    <button type="button" class="secondary" data-choose-all hidden>
      Choose all shown
    </button>
  );
}

/** What a confirmation page says. */
export interface Confirmation {
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly text: string;
  /** A consequence that the person may not expect. */
  readonly warning?: string | null;
  /** To what, and to how many. */
  readonly facts: readonly FactRow[];
  readonly confirm: string;
  /** Whether the act cannot be undone. Its button is red then. */
  readonly isFinal?: boolean;
  /** Where the person goes back to. */
  readonly back: string;
  /** Fields of the second form, beside those of the first. */
  readonly more?: Child;
}

/**
 * Returns the page that asks for confirmation before an act. Its form sends the same fields again, with a reason for
 * the audit. In that second request, `call.isConfirmed` is true.
 */
export function confirmationPage(
  call: Pick<FormCall, 'form'> & Pick<PageCall, 'here' | 'takesReasons'>,
  { title, text, warning = null, facts, confirm, isFinal = false, back, more }: Confirmation,
): PageContent {
  const fields = call.form.entries().filter(([name]) => name !== 'confirmed' && name !== 'reason');
  const body = (
    <section class="card">
      <p>{text}</p>
      {warning === null ? null : <Note tone="warn">{warning}</Note>}
      <FactList facts={facts} />
      <form method="post" action={call.here}>
        <HiddenFields fields={[...fields, ['confirmed', 'yes']]} />
        {more ?? null}
        {call.takesReasons ? (
          <TextField
            name="reason"
            label={LABELS.optionalReason}
            hint="For the audit, such as a ticket. Do not write a candidate's data into it."
          />
        ) : null}
        <p class="buttons">
          <button type="submit" class={isFinal ? 'danger' : undefined}>
            {confirm}
          </button>
          <a href={back}>Go back</a>
        </p>
      </form>
    </section>
  );
  return { kind: 'page', title, body, crumbs: [{ label: 'Back', href: back }] };
}
