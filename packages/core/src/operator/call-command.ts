import type { CommandName } from './commands.js';
import type { Operator } from './operator.js';

/** The method of a command, by the command's name. */
export type CommandOf<Name extends CommandName> =
  Name extends `${infer Group extends keyof Operator<never>}.${infer Verb}`
    ? Verb extends keyof Operator<never>[Group]
      ? Operator<never>[Group][Verb]
      : never
    : never;

/** The input of a command, by the command's name. */
export type InputOf<Name extends CommandName> =
  CommandOf<Name> extends (input: infer Input) => Promise<unknown> ? Input : never;

/** The result of a command, by the command's name. */
export type ResultOf<Name extends CommandName> =
  CommandOf<Name> extends (...input: never[]) => Promise<infer Result> ? Result : never;

type AnyCommand = (input: unknown) => Promise<unknown>;

/**
 * Calls a command by its name, for programs that have the name as data. Does not check rights: see
 * `CommandFacts.guard`.
 * @example
 * const page = await callCommand(operator, 'jobs.list', { companyId });
 */
export function callCommand<Name extends CommandName>(
  operator: Omit<Operator<never>, 'as' | 'forPartner' | 'within'>,
  name: Name,
  input: InputOf<Name>,
): Promise<ResultOf<Name>> {
  const [group = '', verb = ''] = name.split('.');
  const groups = operator as object as Readonly<Record<string, Readonly<Record<string, AnyCommand>>>>;
  const run = groups[group]?.[verb];
  if (run === undefined) throw new Error(`The operator has no command ${name}.`);
  return run(input) as Promise<ResultOf<Name>>;
}
