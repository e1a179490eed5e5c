import type { CommandField, CommandName, InputOf } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { Gate } from '../../gate/gate.js';
import { isLibraryId, isLibraryIdKind } from '../../http/library-id.js';
import type { Fields } from '../../http/screen.js';
import { choiceIn, fieldOfCommand, labelOf } from './choices.js';
import type { ListProblem } from './define-list.js';
import type { DeclaredRule, FilterField, LoadOptions, Options } from './filter-field.js';

/** A field of a filter that sets a field of the list's command. */
export interface CommandFilterField {
  /** The parameter of the address, such as `key` for `keyId`. */
  readonly name: string;
  readonly label: string;
  /** The field of the command. Default: the one of this name, or with `Id` behind it. */
  readonly field?: string;
  /** Whether the choices are shown as the command has them. */
  readonly asWritten?: boolean;
  /** The labels of choices that the words of the command do not explain. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The choice that sets a flag. */
  readonly yes?: string;
  /** The values to choose from, for a number. */
  readonly options?: Options;
  /** Whether a partner may stand for all of its keys. It then sets `partnerId`. */
  readonly isOwner?: boolean;
  readonly any?: string | null;
  /** Reads the names to choose from. */
  readonly load?: LoadOptions;
  /** Whether only links of other pages set the field. The form then shows and keeps it. */
  readonly isPinned?: boolean;
  /** Shows the field in another way. The command then gets what was entered. */
  readonly show?: (value: string | null) => Child;
}

/** A filter, or why it is not possible. */
export type ReadFilter<Filter> = { readonly filter: Filter } | ListProblem;

/** A filter that is derived from the input of a list's command. */
export interface CommandFilter<Name extends CommandName> {
  readonly fields: readonly FilterField[];
  readonly rules: readonly DeclaredRule[];
  read(fields: Fields): ReadFilter<NonNullable<InputOf<Name>>>;
}

/**
 * Declares the filter of a command. Fields with a `kind` are not fields of the command: the list reads them itself.
 * @param atMostOne - the names of fields of which only one may be filled in.
 */
export function filterOf<Name extends CommandName>(
  command: Name,
  declared: readonly (CommandFilterField | FilterField)[],
  atMostOne: readonly string[] = [],
): CommandFilter<Name> {
  const own = declared.flatMap((field) =>
    'kind' in field ? [] : [[field, fieldOfCommand(command, field.field ?? field.name)] as const],
  );
  const facts = new Map(own.map(([{ name }, found]) => [name, found]));
  return {
    fields: declared.map((field) => {
      const found = facts.get(field.name);
      return found === undefined || 'kind' in field
        ? (field as FilterField)
        : { ...field, ...shown(found, field) };
    }),
    rules: atMostOne.length === 0 ? [] : [{ atMostOne, text: oneOfText }],
    read: (fields) => {
      const chosen = declared.filter(({ name }) => atMostOne.includes(name) && fields.text(name) !== null);
      if (chosen.length > 1) {
        return { problem: oneOfText(chosen.map(({ label }) => label)) };
      }
      const values = own.map(([field, found]) => {
        const value = entered(field, found, fields);
        return [
          field.isOwner && isLibraryId('partner', String(value)) ? 'partnerId' : found.name,
          value,
        ] as const;
      });
      const given = values.filter(([, value]) => value !== undefined);
      return { filter: Object.fromEntries(given) as NonNullable<InputOf<Name>> };
    },
  };
}

function oneOfText(labels: readonly string[]): string {
  return `Choose only one of ${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}.`;
}

function shown(
  { kind, idOf, choices }: CommandField,
  { yes = 'Yes', load, asWritten = false, labels = {}, options, isOwner = false }: CommandFilterField,
): Pick<FilterField, 'kind' | 'options'> {
  if (load !== undefined) return { kind: 'choice' };
  if (options !== undefined) return { kind: 'choice', options };
  if (idOf === 'partner') return { kind: idOf };
  if (idOf === 'key') return { kind: isOwner ? 'owner' : 'key' };
  if (idOf !== null && isLibraryIdKind(idOf)) return { kind: { idOf } };
  if (kind === 'flag') return { kind: 'choice', options: [['yes', yes]] };
  if (kind === 'choice')
    return {
      kind,
      options: choices.map((choice) => [choice, labels[choice] ?? (asWritten ? choice : labelOf(choice))]),
    };
  return { kind: kind === 'instant' ? kind : 'text' };
}

function entered(
  { name, show, options }: CommandFilterField,
  { kind, choices }: CommandField,
  fields: Fields,
): unknown {
  const text = fields.text(name);
  if (kind === 'instant') return fields.instant(name) ?? undefined;
  if (kind === 'flag') return choiceIn(['yes'], text) === 'yes' || undefined;
  if (options !== undefined) {
    const chosen = choiceIn(
      options.map(([value]) => value),
      text,
    );
    return chosen === undefined ? undefined : Number(chosen);
  }
  if (kind === 'choice' && show === undefined) return choiceIn(choices, text);
  return text ?? undefined;
}

type Owned = Pick<InputOf<'deliveries.list'>, 'applicationId' | 'keyId' | 'partnerId'>;

/** Returns whether a filter names a key, a partner or an application. */
export function hasOwner({ keyId, partnerId, applicationId }: Owned): boolean {
  return [keyId, partnerId, applicationId].some((id) => id !== undefined);
}

/**
 * Adds an owner to a filter without one. For an actor for one partner, that partner is the owner. An actor for
 * several partners must choose one.
 */
export function ofOwnPartner<Filter extends Owned>(
  filter: Filter,
  { isForAllPartners, actor }: Pick<Gate, 'isForAllPartners' | 'actor'>,
): ReadFilter<Filter> {
  if (hasOwner(filter) || isForAllPartners) return { filter };
  const [only, ...others] = actor.partnerIds === 'all' ? [] : actor.partnerIds;
  if (only === undefined || others.length > 0) {
    return { problem: 'Your rights cover some partners. Choose a partner.' };
  }
  return { filter: { ...filter, partnerId: only } };
}
