import type { IdKind, IdOf } from '@partner-hiring/core/ports';
import { UsageError } from './command.js';

/** What a command was given. Arguments are called by their names in the command's list. */
export interface CommandInput {
  argument(name: string): string;
  /** An argument that is one of a closed list. @throws UsageError naming the list. */
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice;
  /** The argument of that kind's name as an id. @throws UsageError if its prefix is another. */
  id<Kind extends NamedKind>(kind: Kind): IdOf<Kind>;
  /** An option's value; undefined if it was not given. */
  option(name: string): string | undefined;
  optionChoice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined;
  optionId<Kind extends NamedKind>(kind: Kind): IdOf<Kind> | undefined;
  optionNumber(name: string): number | undefined;
  /** @throws UsageError if it is no time with a zone. */
  optionInstant(name: string): number | undefined;
  isSet(name: string): boolean;
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** What commands are about. No command is about an alert. */
type NamedKind = Exclude<IdKind, 'alert'>;

/** What ids begin with, and the command that shows some. */
const IDS: { readonly [Kind in NamedKind]: { readonly prefix: string; readonly list: string } } = {
  company: { prefix: 'co_', list: 'companies list' },
  job: { prefix: 'job_', list: 'jobs list' },
  application: { prefix: 'ej_app_', list: 'applications list' },
  event: { prefix: 'evt_', list: 'deliveries list' },
  partner: { prefix: 'ptn_', list: 'partners list' },
  key: { prefix: 'key_', list: 'keys list' },
};

/** Reads arguments and options that were matched with the command's list before. */
export function createCommandInput(args: Values, options: Values): CommandInput {
  const option = (name: string) => {
    const value = options[name];
    return typeof value === 'string' ? value : undefined;
  };
  const argument = (name: string) => String(args[name] ?? '');
  return {
    argument,
    choice: (name, choices) => oneOf(`<${name}>`, argument(name), choices),
    id: (kind) => asId(`<${kind}>`, kind, argument(kind)),
    option,
    optionChoice: (name, choices) => whenGiven(option(name), (value) => oneOf(`--${name}`, value, choices)),
    optionId: (kind) => whenGiven(option(kind), (value) => asId(`--${kind}`, kind, value)),
    optionNumber: (name) => whenGiven(option(name), (value) => asNumber(`--${name}`, value)),
    optionInstant: (name) => whenGiven(option(name), (value) => asInstant(`--${name}`, value)),
    isSet: (name) => options[name] === true,
  };
}

function whenGiven<Value>(text: string | undefined, read: (text: string) => Value): Value | undefined {
  return text === undefined ? undefined : read(text);
}

function oneOf<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`${name} must be one of ${choices.join(', ')}. It is "${text}".`);
}

/** What is no id is not repeated: it may be a key's secret, which whoever revokes a key has at hand. */
function asId<Kind extends NamedKind>(name: string, kind: Kind, text: string): IdOf<Kind> {
  if (isIdOf(kind, text)) return text;
  const { prefix, list } = IDS[kind];
  throw new UsageError(`${name} must be an id that begins with ${prefix}, such as ${list} shows.`);
}

function isIdOf<Kind extends NamedKind>(kind: Kind, text: string): text is IdOf<Kind> {
  return text.startsWith(IDS[kind].prefix);
}

/** As people write one: `Number` also takes 0x2, 1e3 and Infinity. */
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)$/;

function asNumber(name: string, text: string): number {
  const value = Number(text);
  if (NUMBER.test(text) && Number.isFinite(value)) return value;
  throw new UsageError(`${name} must be a number. It is "${text}".`);
}

/** A time without a zone would be another one on each machine. */
const TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

function asInstant(name: string, text: string): number {
  const day = TIME.exec(text)?.[1];
  const at = day !== undefined && isDay(day) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new UsageError(`${name} must be a time such as 2026-01-31T09:00Z. It is "${text}".`);
}

/** Whether the calendar has that day: `Date` takes February 31 for March 3. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
