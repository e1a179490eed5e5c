import type { IdOf } from '@partner-hiring/core';
import { UsageError } from './command-error.js';
import type { OptionValues } from './command-option.js';
import { globalText } from './global-options.js';
import { ID_KINDS, type NamedKind } from './id-kinds.js';
import { INSTANT_FORMS, readInstant } from './instant-text.js';
import { oneOfChoices } from './one-of.js';
import { isSomeId, repeated } from './repeated.js';

/** Arguments and options of a command. */
export interface CommandInput {
  argument(name: string): string;
  /** @throws UsageError if the argument is not one of the choices. */
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice;
  /** Returns the id argument of this kind. @throws UsageError if the id has another prefix. */
  id<Kind extends NamedKind>(kind: Kind, name?: string): IdOf<Kind>;
  /** Returns the ids of the argument that takes a list. @throws UsageError if one has another prefix. */
  ids<Kind extends NamedKind>(kind: Kind): readonly IdOf<Kind>[];
  /** Returns the option; undefined if it is not set. */
  option(name: string): string | undefined;
  optionChoice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined;
  /** Returns the id of an option, which by default has the name of the kind. */
  optionId<Kind extends NamedKind>(kind: Kind, name?: string): IdOf<Kind> | undefined;
  /** Returns the ids of an option that may be repeated. */
  optionIds<Kind extends NamedKind>(kind: Kind): readonly IdOf<Kind>[] | undefined;
  optionNumber(name: string): number | undefined;
  /** Returns the option as an instant. @throws UsageError unless it is a day, a time with its zone, or `3d`. */
  optionInstant(name: string): number | undefined;
  isSet(name: string): boolean;
}

/** Wraps parsed arguments and options. */
export function createCommandInput(args: OptionValues, options: OptionValues): CommandInput {
  const option = (name: string) => globalText(options, name);
  const argument = (name: string) => String(args[name] ?? '');
  return {
    argument,
    choice: (name, choices) => oneOfChoices(`<${name}>`, argument(name), choices),
    id: (kind, name = kind) => asId(`<${name}>`, kind, argument(name)),
    ids: (kind) => wordsOf(argument(kind)).map((word) => asId(`<${kind}>`, kind, word)),
    option,
    optionChoice: (name, choices) =>
      whenGiven(option(name), (value) => oneOfChoices(`--${name}`, value, choices)),
    optionId: (kind, name = kind) => whenGiven(option(name), (value) => asId(`--${name}`, kind, value)),
    optionIds: (kind) =>
      whenGiven(option(kind), (value) => wordsOf(value).map((word) => asId(`--${kind}`, kind, word))),
    optionNumber: (name) => whenGiven(option(name), (value) => asNumber(`--${name}`, value)),
    optionInstant: (name) => whenGiven(option(name), (value) => asInstant(`--${name}`, value)),
    isSet: (name) => options[name] === true,
  };
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/);
}

function whenGiven<Value>(text: string | undefined, read: (text: string) => Value): Value | undefined {
  return text === undefined ? undefined : read(text);
}

/** Checks an id. The error does not repeat a malformed id, because it may be the secret of a key. */
function asId<Kind extends NamedKind>(name: string, kind: Kind, text: string): IdOf<Kind> {
  if (isIdOfKind(kind, text)) return text;
  const { prefix, list } = ID_KINDS[kind];
  throw new UsageError(`${name} must be an id that starts with ${prefix}. To see ids, run: ${list}`);
}

/** Returns whether a text is an id of this kind. Returns false for a secret that follows the prefix. */
export function isIdOfKind<Kind extends NamedKind>(kind: Kind, text: string): text is IdOf<Kind> {
  return text.startsWith(ID_KINDS[kind].prefix) && isSomeId(text);
}

/** Rejects 0x2, 1e3 and Infinity, which `Number` accepts. */
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)$/;

function asNumber(name: string, text: string): number {
  const value = Number(text);
  if (NUMBER.test(text) && Number.isFinite(value)) return value;
  throw new UsageError(`${name} must be a number${repeated(text, ', not ')}.`);
}

function asInstant(name: string, text: string): number {
  const at = readInstant(text, Date.now());
  if (at !== null) return at;
  throw new UsageError(`${name} must be a time such as ${INSTANT_FORMS}${repeated(text, ', not ')}.`);
}
