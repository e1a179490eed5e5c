import { type Actor, type Door, HOST_ACTOR, systemActor } from '../domain/audit.js';
import { createJobSyncRunner, type JobsOption } from '../features/jobs-sync/job-sync-runner.js';
import { createPartnerView, type PartnerAccess, type PartnerView } from '../features/portal/partner-view.js';
import { createRetention } from '../features/privacy/erase-many.js';
import { createSandboxStepper } from '../features/sandbox/commands.js';
import { createEndpointActs, createEndpointSelfService } from '../features/self-service/endpoint-acts.js';
import type { EndpointSelfService } from '../features/self-service/service.js';
import type { EndpointCommands } from '../groups/deliveries/endpoint-commands.js';
import type { JobSyncRunner, OperationStepper, RetentionStarter, SandboxStepper } from '../ports/steppers.js';
import { type ActorInput, readActor } from './actor.js';
import { bindCommands, type CommandServices } from './command/definition.js';
import { COMMANDS, COMMANDS_WITHIN, type DefinitionsOf } from './commands.js';
import { createTurns } from './event-loop.js';
import { limitCommands } from './gate/limit-commands.js';
import { type OperatorLimits, readLimits } from './gate/limits.js';
import { createOperationStepper } from './operations/operation-stepper.js';
import type { AllCommands, OperatorCommands } from './operator-commands.js';
import { withEach } from './page-cursor.js';
import { hostTransaction, type OperatorOptions, separateTransactions } from './runners.js';
import type { Permit, Runner } from './scope.js';

export type { OperatorCommands } from './operator-commands.js';
export type { OperatorOptions } from './runners.js';

/** Commands that each run in their own transaction. */
export interface Operator<HostTx = never> extends AllCommands {
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
   * Returns what one partner may see and do, for pages of the partner such as `createPartnerPortal`. Nothing of another
   * partner can be reached through it. The audit records the partner as the actor.
   * @example
   * const own = operator.forPartner({ partnerId, name: 'Acme ATS', rights: ['keys'] });
   * const keys = await own.keys();
   */
  forPartner(access: PartnerAccess): PartnerView;
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
export type ObserveEndpoints = <Commands extends EndpointCommands>(commands: Commands) => Commands;

interface OperatorParts<HostTx> {
  readonly options: OperatorOptions<HostTx>;
  readonly observeEndpoints: ObserveEndpoints;
  /** Wraps the commands that partners call. */
  readonly observePartners: ObserveEndpoints;
  /** Shared by all actors, so that a loop of commands yields even if each has another actor. */
  readonly begin: () => Promise<void> | undefined;
  readonly permit?: Permit;
  readonly limits?: OperatorLimits;
}

export function createOperator<HostTx>(
  options: OperatorOptions<HostTx>,
  observeEndpoints: ObserveEndpoints = (commands) => commands,
  observePartners: ObserveEndpoints = observeEndpoints,
): Operator<HostTx> {
  const parts = { options, observeEndpoints, observePartners, begin: createTurns() };
  return operatorAs(parts, HOST_ACTOR);
}

/** Returns what partners do with their own endpoints, through the commands of the operator. */
export function createSelfService<HostTx>(
  options: OperatorOptions<HostTx>,
  observeEndpoints: ObserveEndpoints,
): EndpointSelfService {
  const observePartners = observeEndpoints;
  const parts = { options, observeEndpoints, observePartners, begin: createTurns() };
  return createEndpointSelfService((actor, permit) => partnerParts(parts, actor, permit));
}

function partnerParts<HostTx>(parts: OperatorParts<HostTx>, actor: Actor, permit: Permit) {
  const commands = operatorAs({ ...parts, observeEndpoints: parts.observePartners, permit }, actor);
  return { commands, runner: separateTransactions(parts.options, actor, permit) };
}

function viewOf<HostTx>(parts: OperatorParts<HostTx>, access: PartnerAccess): PartnerView {
  return createPartnerView(access, (actor, permit) => {
    const acting = partnerParts(parts, actor, permit);
    // The name of the person replaces that of the partner in the audit.
    return { ...acting, selfService: createEndpointActs(async () => acting) };
  });
}

function operatorAs<HostTx>(parts: OperatorParts<HostTx>, actor: Actor): Operator<HostTx> {
  return Object.assign(commandsAs(parts, actor), {
    as: (input: ActorInput) => operatorAs(parts, readActor(input, actor.door)),
    through: (door: Door) => operatorAs(parts, { ...actor, door }),
    forPartner: (access: PartnerAccess) => viewOf(parts, access),
    limitedTo: (limits: OperatorLimits) => commandsAs({ ...parts, limits: readLimits(limits) }, actor),
  });
}

function commandsAs<HostTx>(parts: OperatorParts<HostTx>, actor: Actor): LimitedOperator<HostTx> {
  const { options, begin } = parts;
  const runner = separateTransactions(options, actor, parts.permit);
  const services = { flush: options.flushRequests, begin };
  return Object.assign(bindGroups<AllCommands>(COMMANDS, runner, services, parts), {
    within: (hostTx: HostTx) => commandsWithin(parts, hostTx, actor),
    as: (input: ActorInput) => commandsAs(parts, readActor(input, actor.door)),
  });
}

function commandsWithin<HostTx>(
  parts: OperatorParts<HostTx>,
  hostTx: HostTx,
  actor: Actor,
): OperatorInTransaction {
  const runner = hostTransaction(parts.options, hostTx, actor);
  const services = { flush: parts.options.flushRequests };
  return Object.assign(bindGroups<OperatorCommands>(COMMANDS_WITHIN, runner, services, parts), {
    as: (input: ActorInput) => commandsWithin(parts, hostTx, readActor(input, actor.door)),
  });
}

export function createStepper<HostTx>(options: OperatorOptions<HostTx>): SandboxStepper {
  return createSandboxStepper(separateTransactions(options, systemActor('sandbox')));
}

export function createOperationRunner<HostTx>(options: OperatorOptions<HostTx>): OperationStepper {
  return createOperationStepper(separateTransactions(options, HOST_ACTOR));
}

export function createJobSyncs<HostTx>(options: OperatorOptions<HostTx>, jobs: JobsOption): JobSyncRunner {
  return createJobSyncRunner(separateTransactions(options, systemActor('jobs-sync')), jobs);
}

export function createRetentionStarter<HostTx>(
  options: OperatorOptions<HostTx>,
  applicationsMs: number,
): RetentionStarter {
  return createRetention(separateTransactions(options, systemActor('retention')), applicationsMs);
}

/**
 * Returns an object that makes a group of commands when the group is first used. Most callers of `as` call one command,
 * and need one group.
 */
function bindGroups<Groups extends object>(
  definitions: DefinitionsOf<Groups>,
  runner: Runner,
  services: CommandServices,
  { observeEndpoints, limits }: Pick<OperatorParts<never>, 'observeEndpoints' | 'limits'>,
): Groups {
  const groups = {};
  for (const group of Object.keys(definitions) as (keyof Groups & string)[]) {
    let made: Groups[typeof group] | undefined;
    Object.defineProperty(groups, group, {
      enumerable: true,
      get() {
        if (made !== undefined) return made;
        const limited = limitCommands(group, definitions[group], limits);
        const bound = bindCommands<Groups[typeof group]>(group, limited, runner, services);
        const commands = withEach<Groups[typeof group]>(bound);
        const isObserved = group === 'endpoints';
        made = isObserved ? observeEndpoints(commands as EndpointCommands & typeof commands) : commands;
        return made;
      },
    });
  }
  return groups as Groups;
}
