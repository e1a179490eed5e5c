import type { KeyId } from '../domain/ids.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
import type { Storage } from '../ports/storage.js';
import { type AccessCommands, accessCommands } from './access.js';
import { applicationCommands } from './applications/application-commands.js';
import type { ApplicationCommands } from './applications.js';
import { type CompanyCommands, companyCommands } from './companies.js';
import { deliveryCommands } from './deliveries/delivery-commands.js';
import { type EndpointTester, endpointTester } from './deliveries/test-delivery.js';
import type { DeliveryCommands } from './deliveries.js';
import { endpointCommands } from './endpoints/endpoint-commands.js';
import type { EndpointCommands } from './endpoints.js';
import { inspectInputs } from './input/input-forms.js';
import { onlyPossibleIds } from './input/possible-ids.js';
import { jobCommands } from './jobs/job-commands.js';
import type { JobCommands } from './jobs.js';
import { keyCommands } from './keys/key-commands.js';
import type { KeyCommands } from './keys.js';
import { type PartnerCommands, partnerCommands } from './partners.js';
import { createSandboxStepper } from './sandbox/sandbox-steps.js';
import { type SandboxCommands, sandboxCommands } from './sandbox.js';
import type { OperatorSettings, Runner } from './scope.js';
import { yieldToRequests } from './yield-to-requests.js';

/**
 * What the host may do. A command that throws an `OperatorError` has changed nothing. One that throws
 * `StorageUnavailable` may be called again; where its commit was lost with the answer, it may have been done.
 */
export interface OperatorCommands {
  readonly partners: PartnerCommands;
  readonly keys: KeyCommands;
  readonly companies: CompanyCommands;
  readonly access: AccessCommands;
  readonly jobs: JobCommands;
  readonly applications: ApplicationCommands;
  readonly endpoints: EndpointCommands;
  readonly deliveries: DeliveryCommands;
  readonly sandbox: SandboxCommands;
}

/**
 * The operator: each command commits by itself, or joins a transaction of the host. Commands awaited in a loop let the
 * event loop turn, so requests are answered meanwhile. Those of `within` do not.
 */
export interface Operator<HostTx> extends OperatorCommands {
  readonly endpoints: EndpointCommands & EndpointTester;
  /**
   * The same commands inside a transaction that the host opened: they commit or roll back with it. Best
   * called last in it, since the keys concerned stay locked until its end. The worker finds what became due
   * when it next looks.
   */
  within(hostTx: HostTx): OperatorCommands;
}

/** What an operator is made of. */
export interface OperatorOptions<HostTx> extends OperatorSettings {
  readonly storage: Storage<HostTx>;
  /**
   * Called after a commit that gave the worker something to do, so that it need not wait for its next look. With
   * the keys for which events were recorded, where that was all.
   */
  readonly onCommitted?: (keyIds?: ReadonlySet<KeyId>) => void;
}

/** Builds the operator. */
export function createOperator<HostTx>(options: OperatorOptions<HostTx>): Operator<HostTx> {
  const runner = ownTransactions(options);
  const commands = commandsOf(runner);
  const withTester = { ...commands, endpoints: { ...commands.endpoints, ...endpointTester(runner) } };
  return {
    ...yieldToRequests(inspectInputs(withTester)),
    within: (hostTx) => inspectInputs(commandsOf(hostTransaction(options, hostTx))),
  };
}

/** Builds what the worker plays sandboxes with. Its commits tell the worker as the operator's do. */
export function createStepper<HostTx>(options: OperatorOptions<HostTx>): SandboxStepper {
  return createSandboxStepper(ownTransactions(options));
}

function commandsOf(runner: Runner): OperatorCommands {
  return {
    partners: partnerCommands(runner),
    keys: keyCommands(runner),
    companies: companyCommands(runner),
    access: accessCommands(runner),
    jobs: jobCommands(runner),
    applications: applicationCommands(runner),
    endpoints: endpointCommands(runner),
    deliveries: deliveryCommands(runner),
    sandbox: sandboxCommands(runner),
  };
}

function ownTransactions<HostTx>(options: OperatorOptions<HostTx>): Runner {
  const { storage, onCommitted, ...settings } = options;
  const { storageClock } = settings;
  return {
    read: onlyPossibleIds(storage.direct),
    now: () => storageClock.sync(),
    settings,
    async run(command) {
      const due = { events: new Set<KeyId>(), isMore: false };
      const workIsDue = (keyIds?: readonly KeyId[]) => {
        if (keyIds === undefined) due.isMore = true;
        else for (const keyId of keyIds) due.events.add(keyId);
      };
      const result = await storage.transaction(async (tx) =>
        command({ ...settings, tx: onlyPossibleIds(tx), now: () => storageClock.sync(tx.time), workIsDue }),
      );
      if (due.isMore) onCommitted?.();
      else if (due.events.size > 0) onCommitted?.(due.events);
      return result;
    },
  };
}

/** The host ends the transaction, so nobody here can tell when what was recorded is there to be sent. */
function hostTransaction<HostTx>(options: OperatorOptions<HostTx>, hostTx: HostTx): Runner {
  const { storage, onCommitted: _, ...settings } = options;
  const tx = onlyPossibleIds(storage.within(hostTx));
  const now = () => settings.storageClock.sync(tx.time);
  return {
    read: tx,
    now,
    settings,
    run: async (command) => command({ ...settings, tx, now, workIsDue: () => {} }),
  };
}
