import type { CommandField } from '@partner-hiring/core';
import { UsageError } from './command-error.js';
import type { CommandInput } from './command-input.js';
import type { CommandOption } from './command-option.js';
import { wordOf } from './field-words.js';
import { isNamedKind } from './id-kinds.js';
import { INSTANT_FORMS } from './instant-text.js';

/** A longer list of choices does not fit into the help. */
const MOST_CHOICES = 8;

const PLACEHOLDERS: Readonly<Partial<Record<CommandField['kind'], string>>> = {
  duration: 'N',
  id: 'ID',
  instant: 'TIME',
  number: 'N',
};

/** Returns the option of a field. */
export function optionOfField(field: CommandField): CommandOption {
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
export function readField(field: CommandField, input: CommandInput, isArgument: boolean): unknown {
  const { kind, idOf, choices } = field;
  const word = wordOf(field);
  if (kind === 'id' && isNamedKind(idOf)) return isArgument ? input.id(idOf) : input.optionId(idOf, word);
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
