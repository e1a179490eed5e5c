import { AsyncResource } from 'node:async_hooks';
import { joinParts, withDefaults } from './domain/optional.js';
import { RATE_LIMITS } from './domain/rate-limit.js';
import { misconfiguration, NetworkUnavailable } from './errors.js';
import { hooksOf } from './features/commands.js';
import type { AnyOptions, Feature } from './features/feature.js';
import type { FeatureSettings } from './features/settings.js';
import type { FilledInPorts } from './fill-in-ports.js';
import { withoutSourceId } from './http/wire.js';
import type { OperatorOptions } from './operator/operator.js';
import type { PartnerHiringOptions } from './options.js';
import { attempt, SecretsUnreadable } from './worker/attempt.js';
import { WORKER_DEFAULTS } from './worker/options.js';
import { createWorker, type WokenWorker, type WorkerParts } from './worker/worker.js';

/**
 * Checks here, and not at startup, that undici is available. A process that only serves the API does not need
 * it.
 */
export function createHostWorker<HostTx, StorageTx, Tx>(
  options: PartnerHiringOptions<HostTx, StorageTx, Tx>,
  ports: FilledInPorts<HostTx, StorageTx>,
  parts: Pick<WorkerParts, 'features' | 'operations' | 'onDelivered'>,
): WokenWorker {
  const { assertSends } = ports;
  const worker = createWorker({
    ...ports,
    observer: ports.observers.worker,
    options: options.worker,
    process: ports.instance,
    deploymentWatch: ports.watch.task,
    ...parts,
  });
  return {
    ...worker,
    start: () => {
      assertSends();
      outsideRequests(worker.start);
    },
    drain: async (limits) => {
      assertSends();
      await worker.drain(limits);
    },
  };
}

/** Keeps a worker that starts inside a request out of that request's trace. */
const outsideRequests: <T>(work: () => T) => T = AsyncResource.bind(<T>(work: () => T) => work());

/** The options of the operator, which the worker shares. */
export function operatorOptionsOf<HostTx, StorageTx>(
  options: AnyOptions,
  ports: FilledInPorts<HostTx, StorageTx>,
  features: readonly Feature[],
): OperatorOptions<HostTx> {
  const { storage, storageClock, runtime, secretBox, transport, network, observers, phones } = ports;
  const { assertSends, watch } = ports;
  const settings = features.map((feature) => feature.settings?.(options));
  return {
    ...(joinParts<Partial<FeatureSettings>>(settings) as FeatureSettings),
    hooks: hooksOf(features),
    storage,
    storageClock,
    runtime,
    secretBox,
    rules: { decideFromReceived: options.decideFromReceived ?? false },
    urlPolicy: { allowPlainHttp: network.allowPlainHttp },
    rateLimits: withDefaults(RATE_LIMITS, options.limits),
    release: ports.instance.release,
    deployment: ports.instance.deployment,
    phones,
    withoutSourceId,
    sendOnce: async (endpoint, event) => {
      assertSends();
      await watch.assertSending();
      const { clock } = runtime;
      const toSend = { transport, secretBox, clock, storageClock, observer: observers.testDeliveries };
      return attempt(toSend, endpoint, event).catch(explainUnreadable);
    },
    post: async (request) => {
      assertSends();
      await watch.assertSending();
      return transport.post(request);
    },
    maxInFlightPerEndpoint: withDefaults(WORKER_DEFAULTS, options.worker).maxInFlightPerEndpoint,
  };
}

function explainUnreadable(error: unknown): never {
  if (!(error instanceof SecretsUnreadable)) throw error;
  if (error.cause instanceof NetworkUnavailable) throw error.cause;
  throw misconfiguration(`${error.message} Nothing was sent.`, { cause: error });
}
