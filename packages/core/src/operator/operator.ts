import { type Actor, type Door, HOST_ACTOR } from '../domain/audit.js';
import { joinParts } from '../domain/optional.js';
import type { AllCommands, OperatorCommands } from '../features/operator-commands.js';
import type { OperatorViews } from '../features/operator-views.js';
import type { ActAsPartner } from './act-as-partner.js';
import { type ActorInput, readActor } from './actor.js';
import {
  bindCommands,
  type CommandGroups,
  type CommandServices,
  type Definitions,
} from './command/definition.js';
import { createTurns } from './event-loop.js';
import { limitCommands } from './gate/limit-commands.js';
import { type OperatorLimits, readLimits } from './gate/limits.js';
import { withEach } from './page-cursor.js';
import { hostTransaction, type OperatorOptions, separateTransactions } from './runners.js';
import type { Permit, Runner } from './scope.js';

export type { OperatorCommands } from '../features/operator-commands.js';
export type { OperatorOptions } from './runners.js';

/** Commands that each run in their own transaction. */
export interface Operator<HostTx = never> extends AllCommands, OperatorViews {
  /**
   * Returns the commands bound to a transaction of the host: they commit with it, and after an `OperatorError` it can
   * still commit. Call them at the end of the transaction, because they lock the affected keys until it commits. The
   * worker sends the events on its next poll. Commands that use the network, wait or need many commits are missing, and
   * so are `deployment` and `secrets`.
   * @example
   * const hire = (tx: Database) =>
   *   operator.within(tx).applications.decide({ id: applicationId, decision: 'accepted' });
   */
  within(hostTx: HostTx): OperatorInTransaction;
  /**
   * Returns the same commands, for this actor; without it, the audit records `host`. Call it before or after `through`.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const ada = operator.as({ id: 'user_42', name: 'Ada', reason: 'ticket 815' });
   * await ada.jobs.close({ id: jobId });
   */
  as(actor: ActorInput): Operator<HostTx>;
  /**
   * Returns the same commands, for a program through which people act; the audit records this door, by default
   * `library`. The console and the command line call it themselves.
   * @example
   * const commands = operator.through('command_line').as({ id: 'ada' });
   */
  through(door: Extract<Door, 'console' | 'command_line'>): Operator<HostTx>;
  /**
   * Returns the same commands for somebody with some rights on the objects of some partners, or of all, for pages of
   * your staff. The console calls no others. They refuse by default:
   *
   * - A command that needs another right throws `RIGHT_MISSING`. The message names the right.
   * - For an object that does not exist or belongs to another partner, `find` returns null, and every other command throws
   *   an error such as `KEY_NOT_FOUND`. What belongs to no single partner throws `NEEDS_ALL_PARTNERS`.
   * - Candidates are masked, except by `candidates.reveal` and `candidates.export`. Without `candidates:read`, the answers of
   *   receivers, the partners' own ids and their contacts are hidden too. Without `endpoints:set-url`, the queries of URLs are.
   *
   * An act checks its objects again in its transaction.
   * @throws OperatorError `INVALID_INPUT` if a right is unknown; its commands also throw `RIGHT_MISSING` and
   *   `NEEDS_ALL_PARTNERS`.
   * @example
   * const limited = operator.limitedTo({ partnerIds: [partnerId], rights: ['keys:read', 'keys:rotate'] });
   * const { items: keys } = await limited.keys.list({ partnerId });
   */
  limitedTo(limits: OperatorLimits): LimitedOperator<HostTx>;
}

/** The commands of an operator, as far as somebody may call them. */
export interface LimitedOperator<HostTx>
  extends Omit<Operator<HostTx>, 'as' | 'forPartner' | 'limitedTo' | 'through'> {
  /**
   * Returns the same commands, for this actor.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const robin = operator.limitedTo({ partnerIds: 'all', rights: ['endpoints:pause'] }).as({ id: 'user_7' });
   * await robin.endpoints.pause({ keyId });
   */
  as(actor: ActorInput): LimitedOperator<HostTx>;
}

/** Commands in a transaction of the host. */
export interface OperatorInTransaction extends OperatorCommands {
  /**
   * Returns the same commands, for this actor.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const closeFor = (tx: Database) => operator.within(tx).as({ id: 'user_42' }).jobs.close({ id: jobId });
   */
  as(actor: ActorInput): OperatorInTransaction;
}

/** Wraps the commands of endpoints, to count what they change. */
export type ObserveEndpoints = <Commands extends OperatorCommands['endpoints']>(
  commands: Commands,
) => Commands;

/** The definitions of all commands, and of those that run in a transaction of the host. */
export interface CommandTables {
  readonly all: CommandGroups;
  readonly within: CommandGroups;
}

export interface OperatorParts<HostTx> {
  readonly options: OperatorOptions<HostTx>;
  readonly tables: CommandTables;
  /** Make the methods of features that are no commands. */
  readonly views: readonly ((actAsPartner: ActAsPartner) => Partial<OperatorViews>)[];
  readonly observeEndpoints?: ObserveEndpoints;
  /** Wraps the commands that partners call. */
  readonly observePartners?: ObserveEndpoints;
}

interface BoundParts<HostTx> extends Required<OperatorParts<HostTx>> {
  /** Shared by all actors, so that a loop of commands yields even if each has another actor. */
  readonly begin: () => Promise<void> | undefined;
  readonly permit?: Permit;
  readonly limits?: OperatorLimits;
}

/** Makes the operator, and what acts as a partner through its commands. */
export function createOperator<HostTx>(parts: OperatorParts<HostTx>): {
  readonly operator: Operator<HostTx>;
  readonly actAsPartner: ActAsPartner;
} {
  const { observeEndpoints = (commands) => commands, observePartners = observeEndpoints } = parts;
  const bound = { ...parts, observeEndpoints, observePartners, begin: createTurns() };
  return { operator: operatorAs(bound, HOST_ACTOR), actAsPartner: actingWith(bound) };
}

function actingWith<HostTx>(parts: BoundParts<HostTx>): ActAsPartner {
  return (actor, permit) => ({
    commands: commandsAs({ ...parts, observeEndpoints: parts.observePartners, permit }, actor),
    runner: separateTransactions(parts.options, actor, permit),
  });
}

function operatorAs<HostTx>(parts: BoundParts<HostTx>, actor: Actor): Operator<HostTx> {
  return Object.assign(commandsAs(parts, actor), {
    as: (input: ActorInput) => operatorAs(parts, readActor(input, actor.door)),
    through: (door: Door) => operatorAs(parts, { ...actor, door }),
    limitedTo: (limits: OperatorLimits) => commandsAs({ ...parts, limits: readLimits(limits) }, actor),
    ...viewsOf(parts),
  });
}

function viewsOf<HostTx>(parts: BoundParts<HostTx>): OperatorViews {
  const views = parts.views.map((makeViews) => makeViews(actingWith(parts)));
  return joinParts<Partial<OperatorViews>>(views) as OperatorViews;
}

function commandsAs<HostTx>(parts: BoundParts<HostTx>, actor: Actor): LimitedOperator<HostTx> {
  const { options, begin } = parts;
  const runner = separateTransactions(options, actor, parts.permit);
  const services = { flush: options.flushRequests, begin };
  return Object.assign(bindGroups<AllCommands>(parts.tables.all, runner, services, parts), {
    within: (hostTx: HostTx) => commandsWithin(parts, hostTx, actor),
    as: (input: ActorInput) => commandsAs(parts, readActor(input, actor.door)),
  });
}

function commandsWithin<HostTx>(
  parts: BoundParts<HostTx>,
  hostTx: HostTx,
  actor: Actor,
): OperatorInTransaction {
  const runner = hostTransaction(parts.options, hostTx, actor);
  const services = { flush: parts.options.flushRequests };
  return Object.assign(bindGroups<OperatorCommands>(parts.tables.within, runner, services, parts), {
    as: (input: ActorInput) => commandsWithin(parts, hostTx, readActor(input, actor.door)),
  });
}

/**
 * Returns an object that makes a group of commands when the group is first used. Most callers of `as` call one command,
 * and need one group.
 */
function bindGroups<Groups extends object>(
  definitions: CommandGroups,
  runner: Runner,
  services: CommandServices,
  { observeEndpoints, limits }: Pick<BoundParts<never>, 'observeEndpoints' | 'limits'>,
): Groups {
  const groups = {};
  for (const [name, defined] of Object.entries(definitions)) {
    const group = name as keyof Groups & string;
    let made: Groups[typeof group] | undefined;
    Object.defineProperty(groups, group, {
      enumerable: true,
      get() {
        if (made !== undefined) return made;
        const limited = limitCommands(group, defined, limits) as Definitions<Groups[typeof group]>;
        const bound = bindCommands<Groups[typeof group]>(group, limited, runner, services);
        const commands = withEach<Groups[typeof group]>(bound);
        const isObserved = group === 'endpoints';
        made = isObserved
          ? observeEndpoints(commands as OperatorCommands['endpoints'] & typeof commands)
          : commands;
        return made;
      },
    });
  }
  return groups as Groups;
}
