import type { Act } from '../../domain/audit.js';
import type { CommandName } from '../../features/operator-commands.js';
import type { Claims } from './claims.js';
import type { CommandField } from './command-field.js';
import { type AnyDefinition, type AnyDefinitions, type CommandGroups, isDefinition } from './definition.js';
import { asList } from './one-or-many.js';
import type { CommandRight } from './rights.js';

/** Describes a command of the operator for programs, such as a console that checks rights. */
export interface CommandFacts {
  readonly name: CommandName;
  /** Describes the command. Starts with a verb. */
  readonly summary: string;
  /**
   * What the audit says that the actor did, such as `closed the job`; null if the audit does not record the command. It
   * then changes nothing and shows no personal data.
   */
  readonly pastTense: string | null;
  /** What the audit says if the command has changed several objects: `closed jobs`; null if it takes only one input. */
  readonly pastTenseOfMany: string | null;
  /** The fields of its input; of a list, the fields of its items. */
  readonly fields: readonly CommandField[];
  /**
   * The right to call the command for others: allow a call if the person has all `rights` and may touch all `claims`;
   * null if no program should offer it.
   */
  readonly guard: {
    /** Returns the rights that the caller needs, all of them. The input need not be valid. */
    rights(input: unknown): readonly CommandRight[];
    /** Returns what the call reads or changes, at least one. The input need not be valid. */
    claims(input: unknown): Claims;
  } | null;
}

/** The rights that a command needs, and what it reads or changes. The input need not be valid. */
export type CommandGuard = NonNullable<CommandFacts['guard']>;

/** Describes commands, in the order of their definitions. */
export function describeCommands(groups: CommandGroups): readonly CommandFacts[] {
  return named(groups).map(([name, definition]) => ({
    name: name as CommandName,
    summary: definition.summary,
    pastTense: definition.pastTense ?? null,
    pastTenseOfMany: definition.pastTenseOfMany ?? null,
    fields: definition.input.fields,
    guard: guardOf(definition),
  }));
}

/** Returns what a command needs. Null for a command that no program should offer to others. */
export function guardOf({ right, claims, input: { takesMany } }: AnyDefinition): CommandGuard | null {
  if (right === undefined) return null;
  // An empty list changes nothing, but needs the right.
  const inputsIn = (given: unknown) => {
    const inputs = takesMany === true ? asList(given) : [given];
    const [first = {}, ...others] = inputs.map((each) => each ?? {});
    return [first, ...others] as [never, ...never[]];
  };
  return {
    rights: (given) => (typeof right === 'function' ? inputsIn(given).flatMap(right) : [right]),
    claims: (given) => {
      const [first, ...others] = inputsIn(given);
      return [...claims(first), ...others.flatMap(claims)];
    },
  };
}

/** Returns the commands that the audit records. */
export function recordedActs(groups: CommandGroups): readonly Act[] {
  return named(groups).flatMap(([name, { pastTense }]) => (pastTense === undefined ? [] : [name]));
}

function named(groups: CommandGroups): readonly (readonly [Act, AnyDefinition])[] {
  return Object.entries(groups).flatMap(([group, definitions]) => namedIn(group, definitions));
}

function namedIn(group: string, definitions: AnyDefinitions): readonly (readonly [Act, AnyDefinition])[] {
  return Object.entries(definitions).flatMap(([verb, entry]) => {
    const name = `${group}.${verb}` as const;
    return isDefinition(entry) ? [[name, entry] as const] : namedIn(name, entry);
  });
}
