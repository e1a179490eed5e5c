import type { CommandName, Operator } from '@partner-hiring/core';

/** The operator's commands by group. */
type CommandGroups = Omit<Operator<unknown>, 'as' | 'within'>;

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
