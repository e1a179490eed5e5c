import type { ForEach, ItemOf } from './command/one-or-many.js';
import type { CommandName } from './commands.js';
import type { Operator } from './operator.js';

/** The method of a command, by the command's name. */
export type CommandOf<Name extends CommandName> =
  Name extends `${infer Group extends keyof Operator}.${infer Verb}`
    ? Verb extends keyof Operator[Group]
      ? Operator[Group][Verb]
      : never
    : never;

/** The input of a command, by the command's name. */
export type InputOf<Name extends CommandName> =
  CommandOf<Name> extends (input: infer Input) => Promise<unknown> ? Input : never;

/** The result of a command, by the command's name. */
export type ResultOf<Name extends CommandName> =
  CommandOf<Name> extends (...input: never[]) => Promise<infer Result> ? Result : never;

/** The result of a command for an input: a list, if the command takes one input or many and got a list. */
export type ResultFor<Name extends CommandName, Given> = [ItemOf<InputOf<Name>>] extends [never]
  ? ResultOf<Name>
  : ForEach<Given, Exclude<ResultOf<Name>, readonly unknown[]>>;

type AnyCommand = (input: unknown) => Promise<unknown>;

/**
 * Calls a command by its name, for programs that have the name as data.
 * @example
 * const page = await callCommand(operator, 'jobs.list', { companyId });
 */
export function callCommand<Name extends CommandName, const Given extends InputOf<Name>>(
  operator: Omit<Operator, 'as' | 'forPartner' | 'within'>,
  name: Name,
  input: Given,
): Promise<ResultFor<Name, Given>> {
  const [group = '', verb = ''] = name.split('.');
  const groups = operator as object as Readonly<Record<string, Readonly<Record<string, AnyCommand>>>>;
  const run = groups[group]?.[verb];
  if (run === undefined) throw new Error(`The operator has no command ${name}.`);
  return run(input) as Promise<ResultFor<Name, Given>>;
}
