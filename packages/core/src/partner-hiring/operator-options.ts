import { OperatorError } from '../errors.js';
import type { FilledInPorts } from '../fill-in-ports.js';
import type { OperatorOptions } from '../operator/operator.js';
import type { PartnerHiringOptions } from '../partner-hiring-options.js';
import { attempt, SecretsUnreadable } from '../worker/attempt.js';
import { WORKER_DEFAULTS } from '../worker/options.js';

/** What the operator is made of. Test deliveries take the worker's way out. */
export function operatorOptionsOf<HostTx>(
  options: PartnerHiringOptions<HostTx>,
  ports: FilledInPorts<HostTx>,
  onCommitted: NonNullable<OperatorOptions<HostTx>['onCommitted']>,
): OperatorOptions<HostTx> {
  const { storage, storageClock, runtime, secretBox, transport, network, observers, assertSends } = ports;
  return {
    storage,
    storageClock,
    runtime,
    secretBox,
    rules: { decideFromReceived: options.decideFromReceived ?? false },
    urlPolicy: { allowPlainHttp: network.allowPlainHttp },
    sandbox: options.sandbox ?? false,
    sendOnce: async (endpoint, event) => {
      assertSends();
      const { clock } = runtime;
      const toSend = { transport, secretBox, clock, storageClock, observer: observers.testDeliveries };
      return attempt(toSend, endpoint, event).catch(explainUnreadable);
    },
    maxInFlightPerEndpoint: { ...WORKER_DEFAULTS, ...options.worker }.maxInFlightPerEndpoint,
    onCommitted,
  };
}

function explainUnreadable(error: unknown): never {
  if (!(error instanceof SecretsUnreadable)) throw error;
  throw new OperatorError('MISCONFIGURED', `${error.message} Nothing was sent.`, { cause: error });
}
