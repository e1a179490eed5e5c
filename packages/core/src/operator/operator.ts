import type { KeyId } from '../domain/ids.js';
import type { OperationStepper } from '../ports/operation-stepper.js';
import type { RetentionStarter } from '../ports/retention-starter.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
import type { Storage } from '../ports/storage.js';
import { type AccessCommands, accessCommands } from './access.js';
import { type ApplicationCommands, applicationCommands } from './applications.js';
import { type CandidateCommands, candidateCommands } from './candidates/candidate-commands.js';
import { createRetention } from './candidates/retention.js';
import { type CompanyCommands, companyCommands } from './companies.js';
import { type DeliveryCommands, deliveryCommands } from './deliveries/delivery-commands.js';
import { type EndpointTester, endpointTester } from './endpoint-tester.js';
import { type EndpointCommands, endpointCommands } from './endpoints.js';
import { yieldToRequests } from './event-loop.js';
import { type InboxCommands, inboxCommands } from './inbox.js';
import { inspectInputs } from './input-forms.js';
import { type JobCommands, jobCommands } from './jobs/job-commands.js';
import { type KeyCommands, keyCommands } from './keys.js';
import { type OperationCommands, operationCommands } from './operations/operation-commands.js';
import { createOperationStepper } from './operations/operation-stepper.js';
import { type PartnerCommands, partnerCommands } from './partners.js';
import { type RequestCommands, requestCommands } from './requests/request-commands.js';
import { createSandboxStepper, type SandboxCommands, sandboxCommands } from './sandbox.js';
import type { OperatorSettings, Runner } from './scope.js';

/**
 * The commands of the host. A command that throws `OperatorError` has changed nothing. A command that throws
 * `StorageUnavailable` may have been committed: call it again.
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
}

/** Commands that each run in their own transaction. */
export interface Operator<HostTx> extends OperatorCommands {
  readonly endpoints: EndpointCommands & EndpointTester;
  /**
   * Returns the commands bound to a transaction of the host. Call them at the end of the transaction, because
   * they lock the affected keys. The worker sends the events on its next poll.
   * @example
   * const hire = (tx: Database) =>
   *   operator.within(tx).applications.decide({ id: applicationId, decision: 'accepted' });
   */
  within(hostTx: HostTx): OperatorCommands;
}

export interface OperatorOptions<HostTx> extends OperatorSettings {
  readonly storage: Storage<HostTx>;
  /** Called after a commit. If it gets key ids, the commit only added events of these keys. */
  readonly onCommitted?: (keyIds?: ReadonlySet<KeyId>) => void;
  /** Writes the part of the request log that this process still has in memory. */
  readonly flushRequests?: () => Promise<void>;
}

export function createOperator<HostTx>(options: OperatorOptions<HostTx>): Operator<HostTx> {
  const runner = ownTransactions(options);
  const commands = commandsOf(runner, options.flushRequests);
  const withTester = { ...commands, endpoints: { ...commands.endpoints, ...endpointTester(runner) } };
  return {
    ...yieldToRequests(inspectInputs(withTester)),
    within: (hostTx) => inspectInputs(commandsOf(hostTransaction(options, hostTx))),
  };
}

export function createStepper<HostTx>(options: OperatorOptions<HostTx>): SandboxStepper {
  return createSandboxStepper(ownTransactions(options));
}

export function createOperationRunner<HostTx>(options: OperatorOptions<HostTx>): OperationStepper {
  return createOperationStepper(ownTransactions(options));
}

export function createRetentionStarter<HostTx>(
  options: OperatorOptions<HostTx>,
  applicationsMs: number,
): RetentionStarter {
  return createRetention(ownTransactions(options), applicationsMs);
}

function commandsOf(runner: Runner, flushRequests = async () => {}): OperatorCommands {
  return {
    partners: partnerCommands(runner),
    keys: keyCommands(runner),
    companies: companyCommands(runner),
    access: accessCommands(runner),
    jobs: jobCommands(runner),
    applications: applicationCommands(runner),
    candidates: candidateCommands(runner),
    endpoints: endpointCommands(runner),
    deliveries: deliveryCommands(runner),
    operations: operationCommands(runner),
    inbox: inboxCommands(runner),
    requests: requestCommands(runner, flushRequests),
    sandbox: sandboxCommands(runner),
  };
}

function ownTransactions<HostTx>(options: OperatorOptions<HostTx>): Runner {
  const { storage, onCommitted, flushRequests: _, ...settings } = options;
  const { storageClock } = settings;
  return {
    read: storage.direct,
    now: () => storageClock.sync(),
    settings,
    async run(command) {
      const due = { events: new Set<KeyId>(), isMore: false };
      const workIsDue = (keyIds?: readonly KeyId[]) => {
        if (keyIds === undefined) due.isMore = true;
        else for (const keyId of keyIds) due.events.add(keyId);
      };
      const result = await storage.transaction(async (tx) =>
        command({ ...settings, tx, now: () => storageClock.sync(tx.time), workIsDue }),
      );
      if (due.isMore) onCommitted?.();
      else if (due.events.size > 0) onCommitted?.(due.events);
      return result;
    },
  };
}

/**
 * Runs commands in the host's transaction. Does not wake the worker, because only the host knows when it
 * commits.
 */
function hostTransaction<HostTx>(options: OperatorOptions<HostTx>, hostTx: HostTx): Runner {
  const { storage, onCommitted: _, flushRequests: __, ...settings } = options;
  const tx = storage.within(hostTx);
  const now = () => settings.storageClock.sync(tx.time);
  return {
    read: tx,
    now,
    settings,
    run: async (command) => command({ ...settings, tx, now, workIsDue: () => {} }),
  };
}
