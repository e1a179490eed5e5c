import { type Actor, HOST_ACTOR, systemActor } from '../domain/audit.js';
import type { OperationStepper } from '../ports/operation-stepper.js';
import type { RetentionStarter } from '../ports/retention-starter.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
import { type AccessCommands, accessCommands } from './access.js';
import { type ActorInput, readActor } from './actor.js';
import { type ApplicationCommands, applicationCommands } from './applications.js';
import { type AuditCommands, auditCommands } from './audit.js';
import { type CandidateCommands, candidateCommands } from './candidates/candidate-commands.js';
import { createRetention } from './candidates/retention.js';
import { type CompanyCommands, companyCommands } from './companies.js';
import { type DeliveryCommands, deliveryCommands } from './deliveries/delivery-commands.js';
import { type WithoutEach, withEach } from './each.js';
import { type EndpointTester, endpointTester } from './endpoint-tester.js';
import { type EndpointCommands, endpointCommands } from './endpoints.js';
import { createYielding, type Yielding } from './event-loop.js';
import { type InboxCommands, inboxCommands } from './inbox.js';
import { inspectInputs } from './input-forms.js';
import { type JobCommands, jobCommands } from './jobs/job-commands.js';
import { type KeyCommands, keyCommands } from './keys.js';
import { type OperationCommands, operationCommands } from './operations/operation-commands.js';
import { createOperationStepper } from './operations/operation-stepper.js';
import { type OperationWaiter, operationWaiter } from './operations/wait.js';
import { type PartnerCommands, partnerCommands } from './partners.js';
import { type RequestCommands, requestCommands } from './requests/request-commands.js';
import { hostTransaction, type OperatorOptions, ownTransactions } from './runners.js';
import { createSandboxStepper, type SandboxCommands, sandboxCommands } from './sandbox.js';
import type { Runner } from './scope.js';
import { type SystemCommands, systemCommands } from './system/system-commands.js';

export type { OperatorOptions } from './runners.js';

/**
 * The commands of the host. A command that throws `OperatorError` has changed nothing. A command that throws
 * `StorageUnavailable` may have been committed: call it again. Each list returns a `Page`, and has an iterator beside it:
 * `each` beside `list`, `eachAttempt` beside `listAttempts`. A row that changes meanwhile may come twice or not at all.
 */
export interface OperatorCommands {
  readonly partners: PartnerCommands;
  readonly keys: KeyCommands;
  readonly companies: CompanyCommands;
  readonly access: AccessCommands;
  readonly jobs: JobCommands;
  readonly applications: ApplicationCommands;
  readonly candidates: CandidateCommands;
  readonly endpoints: EndpointCommands;
  readonly deliveries: DeliveryCommands;
  readonly operations: OperationCommands;
  readonly inbox: InboxCommands;
  readonly requests: RequestCommands;
  readonly sandbox: SandboxCommands;
  readonly audit: AuditCommands;
  readonly system: SystemCommands;
}

/** Commands that would keep a transaction of the host open. */
interface OwnCommands {
  readonly endpoints: EndpointCommands & EndpointTester;
  readonly operations: OperationCommands & OperationWaiter;
}

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
  const commands = commandsOf(runner, options.flushRequests);
  const withOwn = {
    ...commands,
    endpoints: { ...commands.endpoints, ...endpointTester(runner) },
    operations: { ...commands.operations, ...operationWaiter(runner.read) },
  };
  return {
    ...withEach<OperatorCommands & OwnCommands>(yielding(inspectInputs(withOwn))),
    within: (hostTx) => commandsWithin(options, hostTx, actor),
    as: (input) => operatorAs(options, readActor(input), yielding),
  };
}

function commandsWithin<HostTx>(
  options: OperatorOptions<HostTx>,
  hostTx: HostTx,
  actor: Actor,
): OperatorInTransaction {
  return {
    ...withEach<OperatorCommands>(inspectInputs(commandsOf(hostTransaction(options, hostTx, actor)))),
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

type CommandsWithoutEach = {
  readonly [Group in keyof OperatorCommands]: WithoutEach<OperatorCommands[Group]>;
};

function commandsOf(runner: Runner, flushRequests = async () => {}): CommandsWithoutEach {
  return {
    partners: partnerCommands(runner),
    keys: keyCommands(runner, flushRequests),
    companies: companyCommands(runner),
    access: accessCommands(runner),
    jobs: jobCommands(runner, flushRequests),
    applications: applicationCommands(runner, flushRequests),
    candidates: candidateCommands(runner),
    endpoints: endpointCommands(runner),
    deliveries: deliveryCommands(runner),
    operations: operationCommands(runner),
    inbox: inboxCommands(runner),
    requests: requestCommands(runner, flushRequests),
    sandbox: sandboxCommands(runner),
    audit: auditCommands(runner),
    system: systemCommands(runner, flushRequests),
  };
}
