import type { Operator } from '@partner-hiring/core';

/** Leaves out the iterators. */
type CommandsOf<Group> = {
  readonly [Name in keyof Group as Group[Name] extends (...input: never[]) => Promise<unknown>
    ? Name
    : never]: Group[Name];
};

type Groups = Omit<Operator<unknown>, 'as' | 'within'>;

/** The operator's commands by group. */
export type CommandGroups = { readonly [Group in keyof Groups]: CommandsOf<Groups[Group]> };

/** The name of a command, such as `jobs.close`. */
export type CommandName = {
  [Group in keyof CommandGroups]: `${Group}.${keyof CommandGroups[Group] & string}`;
}[keyof CommandGroups];

type CommandOf<Name extends CommandName> = Name extends `${infer Group}.${infer Command}`
  ? Group extends keyof CommandGroups
    ? Command extends keyof CommandGroups[Group]
      ? CommandGroups[Group][Command]
      : never
    : never
  : never;

/** What a command takes. */
export type InputOf<Name extends CommandName> =
  CommandOf<Name> extends (input: infer Input) => Promise<unknown> ? Input : never;

/** What a command returns. */
export type ResultOf<Name extends CommandName> =
  CommandOf<Name> extends (...input: never[]) => Promise<infer Result> ? Result : never;
