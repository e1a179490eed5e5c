import {
  type CommandFacts,
  type CommandField,
  type CommandName,
  OPERATOR_COMMANDS,
} from '@partner-hiring/core';
import type { AnyOperator } from './command.js';
import { UsageError } from './command-error.js';
import type { CommandInput } from './command-input.js';
import type { CommandArgument, CommandOption } from './command-option.js';
import { wordOf } from './field-words.js';
import { assertExists, doesNotExist, isNamedKind, type NamedKind } from './id-kinds.js';
import { INSTANT_FORMS } from './instant-text.js';

/** How the command line offers the fields of a command of the library. */
export interface FormChoice {
  /** Optional fields that it does not offer. */
  readonly without?: readonly string[] | undefined;
  /** Required fields that may be omitted on the command line. */
  readonly mayOmit?: readonly string[] | undefined;
  /** Optional fields that the command line needs. */
  readonly needs?: readonly string[] | undefined;
}

/** The arguments and options of a command of the library. */
export interface CommandForm {
  readonly arguments: readonly CommandArgument[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Reads the input of the library's command. An option that is not set is omitted. */
  read<Given>(input: CommandInput): Given;
  /** @throws OperatorError if one of the ids does not exist. */
  assertIdsExist(operator: AnyOperator, given: object): Promise<void>;
  /** The error if the last id does not exist. */
  notFound(given: object): Error;
}

/** Returns what the library says about a command. */
export function commandFacts(name: CommandName): CommandFacts {
  const found = OPERATOR_COMMANDS.find((command) => command.name === name);
  if (found === undefined) throw new Error(`The library has no command ${name}.`);
  return found;
}

/** The kinds of required fields that are arguments. */
const ARGUMENTS: ReadonlySet<CommandField['kind']> = new Set(['choice', 'id', 'text']);

/** Derives the form of a command from the fields of its input: required ones are arguments, the others options. */
export function formOf(
  name: CommandName,
  { without = [], mayOmit = [], needs = [] }: FormChoice = {},
): CommandForm {
  const isNeeded = ({ name: field, isRequired }: CommandField) =>
    needs.includes(field) || (isRequired && !mayOmit.includes(field));
  const fields = commandFacts(name)
    .fields.filter((field) => field.kind !== 'value' && !without.includes(field.name))
    .map((field) => ({ ...field, isRequired: isNeeded(field) }));
  const isArgument = ({ kind, isRequired }: CommandField) => isRequired && ARGUMENTS.has(kind);
  const options = fields.filter((field) => !isArgument(field));
  return {
    arguments: fields.filter(isArgument).map(argumentOf),
    options: Object.fromEntries(options.map((field) => [wordOf(field), optionOfField(field)])),
    read: <Given>(input: CommandInput) => {
      const values = fields.map((field) => [field.name, readField(field, input, isArgument(field))] as const);
      return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Given;
    },
    assertIdsExist: async (operator, given) => {
      for (const { kind, id } of idsIn(fields, given)) await assertExists(operator, kind, id);
    },
    notFound: (given) => {
      const last = idsIn(fields, given).at(-1);
      if (last === undefined) throw new Error(`${name} found nothing, and has no id.`);
      return doesNotExist(last.kind, last.id);
    },
  };
}

function idsIn(fields: readonly CommandField[], given: object): readonly { kind: NamedKind; id: string }[] {
  const values = new Map<string, unknown>(Object.entries(given));
  return fields.flatMap(({ name, idOf: kind }) => {
    const id = values.get(name);
    return typeof id === 'string' && isNamedKind(kind) ? [{ kind, id }] : [];
  });
}

function argumentOf(field: CommandField): CommandArgument {
  const name = wordOf(field);
  return field.kind === 'choice' ? { name, choices: field.choices } : name;
}

/** A longer list of choices does not fit into the help. */
const MOST_CHOICES = 8;

const PLACEHOLDERS: Readonly<Partial<Record<CommandField['kind'], string>>> = {
  duration: 'N',
  id: 'ID',
  instant: 'TIME',
  number: 'N',
};

/** Returns the option of a field. */
function optionOfField(field: CommandField): CommandOption {
  const { kind, choices, idOf, summary: said } = field;
  const summary = said ?? `Only those of this ${idOf}`;
  if (kind === 'flag') return { summary };
  if (kind === 'choice' && choices.length <= MOST_CHOICES) return { summary, choices };
  const value = PLACEHOLDERS[kind] ?? wordOf(field).toUpperCase();
  if (kind === 'choice') return { summary, value, choices };
  if (kind === 'instant') return { summary: `${summary}: ${INSTANT_FORMS}`, value };
  return { summary, value };
}

/** Reads the value of a field. @throws UsageError if the text is not one. */
function readField(field: CommandField, input: CommandInput, isArgument: boolean): unknown {
  const { kind, idOf, choices } = field;
  const word = wordOf(field);
  if (kind === 'id' && isNamedKind(idOf))
    return isArgument ? input.id(idOf, word) : input.optionId(idOf, word);
  if (kind === 'choice') return isArgument ? input.choice(word, choices) : input.optionChoice(word, choices);
  switch (kind) {
    case 'flag':
      return input.isSet(word) || undefined;
    case 'instant':
      return input.optionInstant(word);
    case 'number':
      return input.optionNumber(word);
    case 'duration':
      return readHours(word, input);
    default:
      return isArgument ? input.argument(word) : input.option(word);
  }
}

const HOUR_MS = 3_600_000;
/** The library's limit. */
const LIMIT_HOURS = 168;

function readHours(word: string, input: CommandInput): number | undefined {
  const hours = input.optionNumber(word);
  if (hours === undefined) return undefined;
  if (hours >= 0 && hours <= LIMIT_HOURS) return Math.round(hours * HOUR_MS);
  throw new UsageError(`--${word} must be from 0 to ${LIMIT_HOURS}, not ${hours}.`);
}
