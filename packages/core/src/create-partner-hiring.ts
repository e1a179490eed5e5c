import { AsyncResource } from 'node:async_hooks';
import { checkOptions } from './check-options.js';
import { RATE_LIMITS } from './domain/rate-limit.js';
import { OperatorError } from './errors.js';
import { type FilledInPorts, fillInPorts } from './fill-in-ports.js';
import { createFetchHandler, type FetchHandler } from './http/fetch-handler.js';
import { createHandler } from './http/handler.js';
import type { Handler } from './http/message.js';
import { buildReply } from './http/wire.js';
import { observeBacklog, observeOperator } from './observe/endpoints.js';
import { observeResumeSource } from './observe/resumes.js';
import { createOperator, createStepper, type Operator, type OperatorOptions } from './operator/operator.js';
import type { PartnerHiringOptions } from './options.js';
import { createPartnerApi } from './partner/create-partner-api.js';
import { answerInSandbox } from './partner/sandbox-replies.js';
import { attempt, SecretsUnreadable } from './worker/attempt.js';
import { startTimeLimit } from './worker/deadline.js';
import { WORKER_DEFAULTS } from './worker/options.js';
import { createWorker, type OwnWorker, type Worker } from './worker/worker.js';

/** A partner API, ready to mount. */
export interface PartnerHiring<HostTx> {
  /** The framework-neutral handler that adapters mount. It never rejects. */
  readonly handler: Handler;
  readonly fetch: FetchHandler;
  readonly operator: Operator<HostTx>;
  /** Sends webhooks, downloads résumés and deletes expired rows, once a process calls `worker.start()`. */
  readonly worker: Worker;
  /** Stops the worker gracefully, then closes the storage. */
  close(): Promise<void>;
}

/**
 * Creates a partner API from a storage and a secret key. Every other option has a default.
 * @throws OperatorError `MISCONFIGURED` if an option is missing or invalid. The message says how to fix it.
 * @example
 * const partnerHiring = createPartnerHiring({
 *   storage: await createSqliteStorage({ file: 'partner-hiring.sqlite' }),
 *   secretKey: process.env.PARTNER_HIRING_KEY ?? '',
 * });
 * partnerHiring.worker.start();
 */
export function createPartnerHiring<HostTx>(options: PartnerHiringOptions<HostTx>): PartnerHiring<HostTx> {
  checkOptions(options, { limits: RATE_LIMITS, worker: WORKER_DEFAULTS });
  const ports = fillInPorts(options);
  const { storage, storageClock, transport, resumeSource, telemetry, logger, observers } = ports;
  const { clock } = ports.runtime;

  const operatorOptions = operatorOptionsOf(options, ports, (keyIds) => worker.wake(keyIds));
  const worker = createHostWorker(options, ports, operatorOptions);
  const handler = createHostHandler(options, ports, () => worker.wakeResumeFiles());
  const operator = observeOperator(createOperator(operatorOptions), observers.endpoints, logger);
  const stopObserving = observeBacklog(telemetry, storage.direct.endpoints, storageClock, logger);
  const { stopWithinMs } = { ...WORKER_DEFAULTS, ...options.worker };

  return {
    handler,
    fetch: createFetchHandler(handler),
    operator,
    worker,
    close: async () => {
      stopObserving();
      const limit = startTimeLimit(clock, stopWithinMs);
      await worker.stop();
      await limit.waitFor(Promise.all([transport.close(limit.isOver), resumeSource.close(limit.isOver)]));
      limit.end();
      await storage.close();
    },
  };
}

function createHostHandler<HostTx>(
  options: PartnerHiringOptions<HostTx>,
  ports: FilledInPorts<HostTx>,
  onResumeSubmitted: () => void,
): Handler {
  const { storage, storageClock, runtime, phones, logger, observers } = ports;
  const limits = { ...RATE_LIMITS, ...options.limits };
  const partner = createPartnerApi({
    storage,
    storageClock,
    runtime,
    limits,
    phones,
    buildReply,
    onResumeSubmitted,
    onEndedSecret: observers.endedSecrets,
    ...observers.batchers,
  });
  return createHandler({
    partner: options.sandbox
      ? answerInSandbox(partner, { jobs: storage.direct.jobs, limits, storageClock })
      : partner,
    limits,
    logger,
    observer: observers.requests,
    clock: storageClock,
    random: runtime.random,
    basePath: options.basePath,
    maxBodyBytes: options.maxBodyBytes,
    bodyTimeoutMs: options.bodyTimeoutMs,
    maxInFlightPerKey: options.maxInFlightPerKey,
  });
}

/** Checks for undici only now: a process that only serves the API does not need it. */
function createHostWorker<HostTx>(
  options: PartnerHiringOptions<HostTx>,
  ports: FilledInPorts<HostTx>,
  operator: OperatorOptions<HostTx>,
): OwnWorker {
  const { storage, storageClock, runtime, transport, resumeSink, alerts, secretBox, logger, assertSends } =
    ports;
  const worker = createWorker({
    storage,
    storageClock,
    runtime,
    transport,
    resumeSource: observeResumeSource(ports.resumeSource, ports.telemetry),
    resumeSink,
    alerts,
    secretBox,
    logger,
    observer: ports.observers.worker,
    ...(options.resumeScanner === undefined ? {} : { resumeScanner: options.resumeScanner }),
    ...(options.worker === undefined ? {} : { options: options.worker }),
    ...(operator.sandbox ? { sandbox: createStepper(operator) } : {}),
  });
  return {
    ...worker,
    start: () => {
      assertSends();
      outsideRequests(worker.start);
    },
    drain: async () => {
      assertSends();
      await worker.drain();
    },
  };
}

/** Keeps a worker that starts inside a request out of that request's trace. */
const outsideRequests: <T>(work: () => T) => T = AsyncResource.bind(<T>(work: () => T) => work());

function operatorOptionsOf<HostTx>(
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
