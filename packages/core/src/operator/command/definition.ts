import type { Act } from '../../domain/audit.js';
import type { WithoutEach } from '../page-cursor.js';
import type { Runner, Scope } from '../scope.js';
import type { Claims } from './claims.js';
import { copyInput } from './copy-input.js';
import type { AnyGateRule, GateRule } from './gate-rule.js';
import { type Input, namedError } from './input.js';
import { asList, type ItemOf, type ManyInput, resultsFor } from './one-or-many.js';
import type { CommandRight } from './rights.js';

/** The transaction and the services that a command runs with. */
export interface CommandContext extends Runner {
  /** Runs work in a transaction. If the command is an act, the audit's entries are in the same commit. */
  commit<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>;
  /** Writes what this process has in memory of the request log. */
  flush(): Promise<void>;
}

/** The input as `run` gets it: an omitted input is replaced. */
type Given<Value> = NonNullable<Value>;

/** The right to call a command in the console, and of a limited operator. Without it, both refuse the command. */
type Guard<Value> =
  | {
      /** The right that the command needs. A function returns the rights for an input: the actor needs all of them. */
      readonly right: CommandRight | ((input: Given<Value>) => readonly CommandRight[]);
      /** Returns the objects that the command reads or changes. */
      readonly claims: (input: Given<Value>) => Claims;
    }
  | { readonly right?: never; readonly claims?: never };

/** A command, as programs read it. Its interface method is what hosts read. */
export type CommandDefinition<Value, Result> = Guard<Value> & {
  /** Starts with a verb: `Creates a new secret`. */
  readonly summary: string;
  readonly input: Input<Value>;
  /**
   * What the actor did, in the past tense: `closed the job`. Set if the command changes something or shows personal data.
   * The audit then records it.
   */
  readonly pastTense?: string;
  readonly gate?: GateRule<Given<Value>, Result>;
  /** Gets the checked input. */
  readonly run: (context: CommandContext, input: Given<Value>) => Promise<Result>;
};

/**
 * A command that takes one item or many. It runs once, with all of them. Its right and its claims are those of each
 * item.
 */
type ManyDefinition<Item, Result> = Guard<Item> & {
  readonly summary: string;
  readonly input: ManyInput<Item>;
  /** What the actor did with one object. */
  readonly pastTense?: string;
  /** What the actor did with several objects: `closed jobs`. Set if `pastTense` is set. */
  readonly pastTenseOfMany?: string;
  readonly gate?: GateRule<Item, readonly Result[]>;
  /** Gets the checked items. Returns a result for each of them. */
  readonly run: (context: CommandContext, items: readonly Item[]) => Promise<readonly Result[]>;
};

type DefinitionOf<Method> = Method extends (
  input: infer Value,
  options?: infer Options,
) => Promise<infer Result>
  ? 2 extends Parameters<Method>['length']
    ? SourceDefinition<Value, Options, Result>
    : [ItemOf<Value>] extends [never]
      ? CommandDefinition<Value, Result>
      : ManyDefinition<ItemOf<Value>, Exclude<Result, readonly unknown[]>>
  : never;

/** A command that reads a source: `(source, options) => …`. Its definition has the source among its fields. */
type SourceDefinition<Source, Options, Result> = CommandDefinition<
  Given<Options> & { readonly source: Source },
  Result
> & { readonly hasSource: true };

/** One definition for each method of an interface of commands. A group within a group has its own. */
export type Definitions<Commands> = {
  readonly [Verb in keyof WithoutEach<Commands>]: Commands[Verb] extends (...input: never[]) => unknown
    ? DefinitionOf<Commands[Verb]>
    : Definitions<Commands[Verb]>;
};

/** A definition without the types of its command. */
export type AnyDefinition = Guard<never> & {
  readonly summary: string;
  readonly input: Pick<Input<unknown>, 'fields' | 'ids' | 'check'> & { readonly takesMany?: true };
  readonly pastTense?: string;
  readonly pastTenseOfMany?: string;
  readonly hasSource?: true;
  readonly gate?: AnyGateRule;
  readonly run: (context: CommandContext, input: never) => Promise<unknown>;
};

/** Definitions without the types of their commands, by verb. A group within a group has its own. */
export interface AnyDefinitions {
  readonly [verb: string]: AnyDefinition | AnyDefinitions;
}

/** Definitions without the types of their commands, by group. */
export interface CommandGroups {
  readonly [group: string]: AnyDefinitions;
}

/** Returns whether the entry of a group is a command, not a group. */
export function isDefinition(entry: AnyDefinition | AnyDefinitions): entry is AnyDefinition {
  return typeof entry.run === 'function';
}

/** Runs a command in one transaction. */
export function inTransaction<Value, Result>(
  work: (scope: Scope, input: Value) => Promise<Result>,
): (context: CommandContext, input: Value) => Promise<Result> {
  return ({ commit }, input) => commit((scope) => work(scope, input));
}

/** Options that are not an object are passed on unchanged, so that the check can name them. */
function withSource(source: unknown, options: unknown): unknown {
  const given = copyInput(options ?? {});
  return typeof given === 'object' && !Array.isArray(given) ? { ...given, source } : given;
}

/** The services that all commands of a host use. */
export interface CommandServices {
  readonly flush?: (() => Promise<void>) | undefined;
  /** Waits until the next command may begin. */
  readonly begin?: () => Promise<void> | undefined;
}

/** Makes the commands of a group for a host. */
export function bindCommands<Commands>(
  group: string,
  definitions: Definitions<Commands>,
  runner: Runner,
  services: CommandServices = {},
): WithoutEach<Commands> {
  const bound = Object.entries(definitions as AnyDefinitions).map(([verb, entry]) => {
    const name = `${group}.${verb}` as const;
    const bindEntry = isDefinition(entry) ? bind : bindCommands;
    return [verb, bindEntry(name, entry as never, runner, services)];
  });
  return Object.fromEntries(bound) as WithoutEach<Commands>;
}

function bind(
  name: Act,
  { input, pastTense, hasSource, run }: AnyDefinition,
  runner: Runner,
  { flush = async () => {}, begin }: CommandServices,
): (given?: unknown, options?: unknown) => Promise<unknown> {
  const context: CommandContext = {
    ...runner,
    flush,
    commit: (work) => runner.run(pastTense === undefined ? null : name, work),
  };
  return async (first, options) => {
    try {
      // The caller may change what it has passed as soon as it gets the promise.
      const given = hasSource === true ? withSource(first, options) : copyInput(first);
      await begin?.();
      const checked = await input.check(given);
      if (input.takesMany !== true) return await run(context, checked as never);
      const results = (await run(context, asList(checked) as never)) as readonly unknown[];
      return resultsFor(checked, results);
    } catch (error) {
      throw namedError(name, error);
    }
  };
}
