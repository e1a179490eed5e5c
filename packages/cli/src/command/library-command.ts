import { type CommandName, callCommand, type InputOf, type ResultFor } from '@partner-hiring/core';
import { sentence } from '../report/report.js';
import type { OperatorCommand, Report } from './command.js';
import { type FormChoice, formOf } from './command-form.js';
import type { CommandInput } from './command-input.js';
import type { CommandOption } from './command-option.js';

/** The input of a command of the library. If the command takes one input or many, one of them. */
export type Given<Name extends CommandName> = Exclude<NonNullable<InputOf<Name>>, readonly unknown[]>;

type Found<Name extends CommandName> = NonNullable<ResultFor<Name, Given<Name>>>;

/** The parts of a command that its definition in the library does not have. */
export interface LibraryCommand<Name extends CommandName>
  extends Omit<OperatorCommand, 'arguments' | 'library' | 'options' | 'run'>,
    FormChoice {
  /** Whether unknown ids are reported first, because the library would return nothing. */
  readonly idsMustExist?: boolean;
  /** Options that the definition has no field of its own for, and what they add to the input. */
  readonly adds?: {
    readonly options: Readonly<Record<string, CommandOption>>;
    readonly read: (input: CommandInput) => Partial<Given<Name>>;
  };
  /** @throws UsageError for options that cannot be combined. */
  readonly check?: (given: Given<Name>) => void;
  /** The error if the library finds nothing. By default, it says that the last id does not exist. */
  readonly missing?: Error;
}

/**
 * Returns the command line's form of a command of the library. `report` returns a sentence about the result, or a
 * sentence and another value.
 */
export function libraryCommand<Name extends CommandName>(
  name: Name,
  report: (result: Found<Name>, given: Given<Name>) => string | Report,
  {
    without,
    mayOmit,
    needs,
    adds,
    idsMustExist = false,
    check,
    missing,
    ...extras
  }: LibraryCommand<Name> = {},
): OperatorCommand {
  const form = formOf(name, { without, mayOmit, needs });
  return {
    library: name,
    arguments: form.arguments,
    options: { ...form.options, ...adds?.options },
    ...extras,
    run: async (operator, input) => {
      const given = { ...form.read<Given<Name>>(input), ...adds?.read(input) };
      check?.(given);
      if (idsMustExist) await form.assertIdsExist(operator, given);
      const result = await callCommand(operator, name, given);
      if (result === null) throw missing ?? form.notFound(given);
      const said = report(result as Found<Name>, given);
      return typeof said === 'string' ? sentence(said, result) : said;
    },
  };
}
