import { type Actor, HOST_ACTOR, systemActor } from '../domain/audit.js';
import type { OperationStepper } from '../ports/operation-stepper.js';
import type { RetentionStarter } from '../ports/retention-starter.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
import { type ActorInput, readActor } from './actor.js';
import { createRetention } from './candidates/retention.js';
import { bindCommands } from './command/definition.js';
import { COMMANDS, COMMANDS_WITHIN } from './commands.js';
import { withEach } from './each.js';
import type { EndpointTester } from './endpoint-tester.js';
import type { EndpointCommands } from './endpoints.js';
import { createYielding, type Yielding } from './event-loop.js';
import type { OperationCommands } from './operations/operation-commands.js';
import { createOperationStepper } from './operations/operation-stepper.js';
import type { OperationWaiter } from './operations/wait.js';
import type { AllCommands, OperatorCommands } from './operator-commands.js';
import { hostTransaction, type OperatorOptions, ownTransactions } from './runners.js';
import { createSandboxStepper } from './sandbox.js';

export type { OperatorCommands } from './operator-commands.js';
export type { OperatorOptions } from './runners.js';

/** Commands that each run in their own transaction. */
export interface Operator<HostTx> extends OperatorCommands {
  readonly endpoints: EndpointCommands & EndpointTester;
  readonly operations: OperationCommands & OperationWaiter;
  /**
   * Returns the commands bound to a transaction of the host. Call them at the end of the transaction, because
   * they lock the affected keys. The worker sends the events on its next poll.
   * @example
   * const hire = (tx: Database) =>
   *   operator.within(tx).applications.decide({ id: applicationId, decision: 'accepted' });
   */
  within(hostTx: HostTx): OperatorInTransaction;
  /**
   * Returns the same commands, for this actor. The audit records who acts; without `as`, it is `host`.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const ada = operator.as({ id: 'user_42', name: 'Ada', reason: 'ticket 815' });
   * await ada.jobs.close({ id: jobId });
   */
  as(actor: ActorInput): Operator<HostTx>;
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

export function createOperator<HostTx>(options: OperatorOptions<HostTx>): Operator<HostTx> {
  // Shared by all actors, so that a loop of commands yields even if each has another actor.
  return operatorAs(options, HOST_ACTOR, createYielding());
}

function operatorAs<HostTx>(
  options: OperatorOptions<HostTx>,
  actor: Actor,
  yielding: Yielding,
): Operator<HostTx> {
  const runner = ownTransactions(options, actor);
  const commands = bindCommands<AllCommands>(COMMANDS, runner, options.flushRequests);
  return {
    ...withEach<AllCommands>(yielding(commands)),
    within: (hostTx) => commandsWithin(options, hostTx, actor),
    as: (input) => operatorAs(options, readActor(input), yielding),
  };
}

function commandsWithin<HostTx>(
  options: OperatorOptions<HostTx>,
  hostTx: HostTx,
  actor: Actor,
): OperatorInTransaction {
  const runner = hostTransaction(options, hostTx, actor);
  const commands = bindCommands<OperatorCommands>(COMMANDS_WITHIN, runner, options.flushRequests);
  return {
    ...withEach<OperatorCommands>(commands),
    as: (input) => commandsWithin(options, hostTx, readActor(input)),
  };
}

export function createStepper<HostTx>(options: OperatorOptions<HostTx>): SandboxStepper {
  return createSandboxStepper(ownTransactions(options, systemActor('sandbox')));
}

export function createOperationRunner<HostTx>(options: OperatorOptions<HostTx>): OperationStepper {
  return createOperationStepper(ownTransactions(options, HOST_ACTOR));
}

export function createRetentionStarter<HostTx>(
  options: OperatorOptions<HostTx>,
  applicationsMs: number,
): RetentionStarter {
  return createRetention(ownTransactions(options, systemActor('retention')), applicationsMs);
}
