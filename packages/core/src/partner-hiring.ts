import { checkOptions } from './check-options.js';
import { outsideRequests } from './defaults/async-context.js';
import { keepTick } from './defaults/keep-tick.js';
import { RATE_LIMITS } from './domain/rate-limit.js';
import { OperatorError } from './errors.js';
import { fillInPorts } from './fill-in-ports.js';
import { createFetchHandler, type FetchHandler } from './http/fetch-handler.js';
import { createHandler } from './http/handler.js';
import type { Handler } from './http/message.js';
import { composeReply } from './http/wire.js';
import { observeBacklog } from './observe/backlog.js';
import { observeOperator } from './observe/endpoints.js';
import { observeResumeSource } from './observe/resumes.js';
import { createOperator, createStepper, type Operator, type OperatorOptions } from './operator/operator.js';
import { answerInSandbox } from './partner/answer-in-sandbox.js';
import { createPartnerApi } from './partner/create-partner-api.js';
import type { PartnerHiringOptions } from './partner-hiring-options.js';
import { attempt } from './worker/attempt.js';
import { SecretsUnreadable } from './worker/open-signers.js';
import { WORKER_DEFAULTS } from './worker/options.js';
import { startTimeLimit } from './worker/time-limit.js';
import { createWorker, type Worker } from './worker/worker.js';

/** A partner API, put together. */
export interface PartnerHiring<HostTx> {
  /** The neutral handler that adapters mount: message in, reply out. It never rejects. */
  readonly handler: Handler;
  /** The same for servers that speak `Request` and `Response`: Hono, Next, Bun, Deno. */
  readonly fetch: FetchHandler;
  /** What the host may do: keys, companies, access, jobs, applications, endpoints, deliveries. */
  readonly operator: Operator<HostTx>;
  /** Sends webhooks, fetches résumés, sweeps. Nothing is sent until `worker.start()`, here or elsewhere. */
  readonly worker: Worker;
  /** Stops the worker gracefully and closes the storage. */
  close(): Promise<void>;
}

/**
 * Puts a partner API together from its ports.
 *
 * @throws OperatorError `MISCONFIGURED` with the fix in its message.
 */
export function createPartnerHiring<HostTx>(options: PartnerHiringOptions<HostTx>): PartnerHiring<HostTx> {
  checkOptions(options, { limits: RATE_LIMITS, worker: WORKER_DEFAULTS });
  keepTick();
  const { sandbox = false } = options;
  const workerOptions = { ...WORKER_DEFAULTS, ...options.worker };
  const limits = { ...RATE_LIMITS, ...options.limits };
  const { observers, network, ...ports } = fillInPorts(options);
  const { storage, runtime, secretBox, transport, resumeSource, telemetry, logger, assertSends } = ports;

  const operatorOptions: OperatorOptions<HostTx> = {
    storage,
    runtime,
    secretBox,
    rules: { decideFromReceived: options.decideFromReceived ?? false },
    urlPolicy: { allowPlainHttp: network.allowPlainHttp },
    sandbox,
    sendOnce: async (endpoint, event) => {
      assertSends();
      const toSend = { transport, secretBox, clock: runtime.clock, observer: observers.testDeliveries };
      return attempt(toSend, endpoint, event).catch(explainUnreadable);
    },
    maxInFlightPerEndpoint: workerOptions.maxInFlightPerEndpoint,
    onCommitted: (keyIds) => worker.nudge(keyIds),
  };
  const worker = createWorker({
    storage,
    runtime,
    transport,
    resumeSource: observeResumeSource(resumeSource, telemetry),
    resumeSink: ports.resumeSink,
    alerts: ports.alerts,
    secretBox,
    logger,
    observer: observers.worker,
    ...(options.worker === undefined ? {} : { options: options.worker }),
    ...(sandbox ? { sandbox: createStepper(operatorOptions) } : {}),
  });
  const partner = createPartnerApi({
    storage,
    runtime,
    limits,
    phones: ports.phones,
    composeReply,
    onResumeSubmitted: () => worker.nudgeResumes(),
    ...observers.groups,
  });
  const handler = createHandler({
    partner: sandbox
      ? answerInSandbox(partner, { jobs: storage.direct.jobs, limits, clock: runtime.clock })
      : partner,
    limits,
    logger,
    observer: observers.requests,
    clock: runtime.clock,
    random: runtime.random,
    ...(options.basePath === undefined ? {} : { basePath: options.basePath }),
    ...(options.maxBodyBytes === undefined ? {} : { maxBodyBytes: options.maxBodyBytes }),
  });
  const operator = createOperator(operatorOptions);
  const stopObserving = observeBacklog(telemetry, storage.direct.endpoints, runtime.clock, logger);

  return {
    handler,
    fetch: createFetchHandler(handler),
    operator: observeOperator(operator, observers.endpoints, logger),
    worker: {
      ...worker,
      start: () => {
        assertSends();
        outsideRequests(worker.start);
      },
      drain: async () => {
        assertSends();
        await worker.drain();
      },
    },
    close: async () => {
      stopObserving();
      const limit = startTimeLimit(runtime.clock, workerOptions.stopWithinMs);
      await worker.stop();
      await limit.waitFor(Promise.all([transport.close(limit.isOver), resumeSource.close(limit.isOver)]));
      limit.end();
      await storage.close();
    },
  };
}

function explainUnreadable(error: unknown): never {
  if (!(error instanceof SecretsUnreadable)) throw error;
  throw new OperatorError('MISCONFIGURED', `${error.message} Nothing was sent.`, { cause: error });
}
