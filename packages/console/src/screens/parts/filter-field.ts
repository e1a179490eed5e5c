import type { Child } from 'hono/jsx';
import type { LibraryIdKind } from '../../http/library-id.js';
import type { ScreenCall } from '../../http/screen.js';
import type { FilterRule } from '../../view/forms.js';

/** The options of a choice. */
export type Options = readonly (readonly [value: string, label: string])[];

/** Options that were read. */
export interface LoadedOptions {
  readonly options: Options;
  /** Says that there are more, and how to find them. */
  readonly hint?: string | undefined;
}

export type LoadOptions<Call = ScreenCall> = (call: Call) => Promise<LoadedOptions>;

/** A field that filters a list. */
export interface FilterField<Call = ScreenCall> {
  readonly name: string;
  readonly label: string;
  /**
   * The kind of the value: a choice, an id of the library, an instant, a partner key, a partner or one of its keys, a partner, or a text.
   * Only a list whose filter is posted may have a text.
   */
  readonly kind:
    | 'choice'
    | 'instant'
    | 'key'
    | 'owner'
    | 'partner'
    | 'text'
    | { readonly idOf: LibraryIdKind };
  readonly options?: Options;
  /** Reads the options of a choice, which are names. Shows another value, which a link has set, by its id. */
  readonly load?: LoadOptions<Call>;
  /** The empty choice. Default: `Any`. Null for none: the first option is chosen then. */
  readonly any?: string | null;
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
