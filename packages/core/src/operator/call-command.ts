import type { AllCommands, CommandName } from '../features/operator-commands.js';
import type { ForEach, ItemOf } from './command/one-or-many.js';

type MethodIn<Group, Name> = Name extends keyof Group
  ? Group[Name]
  : Name extends `${infer Part}.${infer Rest}`
    ? Part extends keyof Group
      ? MethodIn<Group[Part], Rest>
      : never
    : never;

/** The method of a command, by the command's name. */
export type CommandOf<Name extends CommandName> = MethodIn<AllCommands, Name>;

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
 * Calls a command by its name, for programs that have the name as data. Does not check rights: see
 * `CommandFacts.guard`.
 * @example
 * const page = await callCommand(operator, 'jobs.list', { companyId });
 */
export function callCommand<Name extends CommandName, Given extends InputOf<Name>>(
  operator: AllCommands,
  name: Name,
  input: Given,
): Promise<ResultFor<Name, Given>> {
  const found = name.split('.').reduce<unknown>((group, part) => Object(group)[part] as unknown, operator);
  if (typeof found !== 'function') throw new Error(`The operator has no command ${name}.`);
  return (found as AnyCommand)(input) as Promise<ResultFor<Name, Given>>;
}
