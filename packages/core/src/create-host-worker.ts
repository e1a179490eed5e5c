import { AsyncResource } from 'node:async_hooks';
import { withDefaults } from './domain/optional.js';
import { RATE_LIMITS } from './domain/rate-limit.js';
import { misconfiguration, NetworkUnavailable } from './errors.js';
import type { Inbox } from './features/inbox/create-inbox.js';
import { routeLimits } from './features/portal/route-limits.js';
import { GO_LIVE } from './features/readiness/rules.js';
import { observeResumeSource } from './features/resumes/metrics.js';
import type { FilledInPorts } from './fill-in-ports.js';
import { withoutSourceId } from './http/wire.js';
import {
  createJobSyncs,
  createOperationRunner,
  createRetentionStarter,
  createStepper,
  type OperatorOptions,
} from './operator/operator.js';
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
  operator: OperatorOptions<HostTx>,
  { inbox, onDelivered }: Pick<WorkerParts, 'onDelivered'> & { readonly inbox: Inbox | null },
): WokenWorker {
  const { storage, storageClock, runtime, transport, resumeSink, alerts, secretBox, logger, assertSends } =
    ports;
  const { instance } = ports;
  const worker = createWorker({
    storage,
    storageClock,
    runtime,
    transport,
    resumeSource: observeResumeSource(ports.resumeSource, ports.telemetry),
    resumeSink,
    alerts,
    messages: { portalUrl: options.portalUrl, support: options.support },
    secretBox,
    logger,
    observer: ports.observers.worker,
    resumeScanner: options.resumeScanner,
    inbox: inbox?.task,
    onDelivered,
    options: options.worker,
    process: instance,
    deploymentWatch: ports.watch.task,
    operations: createOperationRunner(operator),
    jobSyncs: options.jobs && createJobSyncs(operator, options.jobs),
    ...retentionOf(options, operator),
    auditMs: options.retention?.auditMs,
    recordsEvents: options.selfService?.events,
    sandbox: operator.sandbox ? createStepper(operator) : undefined,
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

function retentionOf<HostTx>(
  { retention }: Pick<PartnerHiringOptions<never>, 'retention'>,
  operator: OperatorOptions<HostTx>,
): Partial<Pick<WorkerParts, 'retention' | 'requestsMs'>> {
  const { applicationsMs, requestsMs } = retention ?? {};
  return {
    retention: applicationsMs === undefined ? undefined : createRetentionStarter(operator, applicationsMs),
    requestsMs,
  };
}

/** Keeps a worker that starts inside a request out of that request's trace. */
const outsideRequests: <T>(work: () => T) => T = AsyncResource.bind(<T>(work: () => T) => work());

/** The options of the operator, which the worker shares. */
export function operatorOptionsOf<HostTx, StorageTx, Tx>(
  options: PartnerHiringOptions<HostTx, StorageTx, Tx>,
  ports: FilledInPorts<HostTx, StorageTx>,
  hooks: Required<Pick<OperatorOptions<HostTx>, 'onCommitted' | 'onPending'>>,
): OperatorOptions<HostTx> {
  const { storage, storageClock, runtime, secretBox, transport, network, observers, phones } = ports;
  const { assertSends, watch } = ports;
  const rateLimits = withDefaults(RATE_LIMITS, options.limits);
  return {
    storage,
    storageClock,
    runtime,
    secretBox,
    rules: { decideFromReceived: options.decideFromReceived ?? false },
    urlPolicy: { allowPlainHttp: network.allowPlainHttp },
    sandbox: options.sandbox ?? false,
    goLive: withDefaults(GO_LIVE, options.goLive),
    recordsEvents: options.selfService?.events ?? false,
    rateLimits,
    limits: routeLimits(rateLimits, options.selfService ?? {}),
    portalUrl: options.portalUrl ?? null,
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
    ...hooks,
  };
}

function explainUnreadable(error: unknown): never {
  if (!(error instanceof SecretsUnreadable)) throw error;
  if (error.cause instanceof NetworkUnavailable) throw error.cause;
  throw misconfiguration(`${error.message} Nothing was sent.`, { cause: error });
}
