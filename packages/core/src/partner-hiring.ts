import { checkClock, checkOptions } from './check-options.js';
import { outsideRequests } from './defaults/async-context.js';
import { createCalmTelemetry } from './defaults/calm-telemetry.js';
import { createCleanLogger } from './defaults/clean-logger.js';
import { keepTick } from './defaults/keep-tick.js';
import { createLogAlerts } from './defaults/log-alerts.js';
import { noLogger } from './defaults/no-logger.js';
import { createOpenTelemetry } from './defaults/open-telemetry.js';
import { createPhoneNumbers } from './defaults/phone-numbers.js';
import { createResumeFolder } from './defaults/resume-folder.js';
import { createResumeSource } from './defaults/resume-source.js';
import { assertUndici } from './defaults/safe-http/assert-undici.js';
import { createSafeTransport } from './defaults/safe-transport.js';
import { createSecretBox } from './defaults/sealed-secrets.js';
import { createSystemRuntime } from './defaults/system-runtime.js';
import { RATE_LIMITS } from './domain/rate-limit.js';
import { OperatorError } from './errors.js';
import { createFetchHandler, type FetchHandler } from './http/fetch-handler.js';
import { createHandler } from './http/handler.js';
import type { Handler } from './http/message.js';
import { composeReply } from './http/wire.js';
import { observeBacklog } from './observe/backlog.js';
import { observeOperator } from './observe/endpoints.js';
import { createObservers } from './observe/observe.js';
import { observeResumeSource } from './observe/resumes.js';
import { observeStorage } from './observe/storage.js';
import { createOperator, createStepper, type Operator, type OperatorOptions } from './operator/operator.js';
import { answerInSandbox } from './partner/answer-in-sandbox.js';
import { createPartnerApi } from './partner/create-partner-api.js';
import type { PartnerHiringOptions } from './partner-hiring-options.js';
import type { OperatorAlerts } from './ports/operator-alerts.js';
import type { SecretBox } from './ports/secret-box.js';
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

/** The folder of the default résumé sink, relative to where the process was started. */
const DEFAULT_RESUME_FOLDER = 'resumes';

/**
 * Puts a partner API together from its ports.
 *
 * @throws OperatorError `MISCONFIGURED` with the fix in its message.
 */
export function createPartnerHiring<HostTx>(options: PartnerHiringOptions<HostTx>): PartnerHiring<HostTx> {
  checkOptions(options);
  keepTick();
  const { allowPrivateNetworks = false, sandbox = false } = options;
  const workerOptions = { ...WORKER_DEFAULTS, ...options.worker };
  const logger = createCleanLogger(options.logger ?? noLogger);
  const telemetry =
    options.telemetry === undefined ? createOpenTelemetry() : createCalmTelemetry(options.telemetry);
  const runtime = options.runtime ?? createSystemRuntime();
  checkClock(runtime.clock);
  const observers = createObservers(telemetry, logger, runtime);
  const storage = observeStorage(options.storage, observers.storage);
  const secretBox = options.secretBox ?? sealWith(options.secretKey);
  const limits = { ...RATE_LIMITS, ...options.limits };
  const network = { allowPrivateNetworks, allowPlainHttp: allowPrivateNetworks };
  const transport = options.transport ?? createSafeTransport(network);
  const resumeSource = options.resumeSource ?? createResumeSource(network);
  const assertSends = options.transport && options.resumeSource ? () => {} : assertUndici;

  const operatorOptions: OperatorOptions<HostTx> = {
    storage,
    runtime,
    secretBox,
    rules: { decideFromReceived: options.decideFromReceived ?? false },
    urlPolicy: { allowPlainHttp: network.allowPlainHttp },
    sandbox,
    sendOnce: async (endpoint, event) => {
      assertSends();
      const ports = { transport, secretBox, clock: runtime.clock, observer: observers.testDeliveries };
      return attempt(ports, endpoint, event).catch(explainUnreadable);
    },
    maxInFlightPerEndpoint: workerOptions.maxInFlightPerEndpoint,
    onCommitted: (keyIds) => worker.nudge(keyIds),
  };
  const worker = createWorker({
    storage,
    runtime,
    transport,
    resumeSource: observeResumeSource(resumeSource, telemetry),
    resumeSink: options.resumeSink ?? createResumeFolder(DEFAULT_RESUME_FOLDER),
    alerts: logged(options.alerts, createLogAlerts(logger)),
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
    phones: options.phoneNumbers ?? createPhoneNumbers(),
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

/** An alert is logged after the host has taken it. One that it did not take comes again, and is logged then. */
function logged(alerts: OperatorAlerts | undefined, log: OperatorAlerts): OperatorAlerts {
  if (alerts === undefined) return log;
  return {
    async alert(alert) {
      await alerts.alert(alert);
      await log.alert(alert);
    },
  };
}

function explainUnreadable(error: unknown): never {
  if (!(error instanceof SecretsUnreadable)) throw error;
  throw new OperatorError('MISCONFIGURED', `${error.message} Nothing was sent.`, { cause: error });
}

function sealWith(secretKey: Uint8Array | string | undefined): SecretBox {
  if (secretKey !== undefined) return createSecretBox(secretKey);
  throw new OperatorError(
    'MISCONFIGURED',
    'createPartnerHiring needs `secretKey`: 32 bytes that seal the webhook signing secrets at rest. ' +
      'Make one with `openssl rand -base64 32`, keep it outside the database, and pass it from your configuration.',
  );
}
