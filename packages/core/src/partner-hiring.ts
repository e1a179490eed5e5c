import { checkOptions } from './check-options.js';
import { createCalmTelemetry } from './defaults/calm-telemetry.js';
import { createCleanLogger } from './defaults/clean-logger.js';
import { createLogAlerts } from './defaults/log-alerts.js';
import { noLogger } from './defaults/no-logger.js';
import { createOpenTelemetry } from './defaults/open-telemetry.js';
import { createPhoneNumbers } from './defaults/phone-numbers.js';
import { createResumeFolder } from './defaults/resume-folder.js';
import { createResumeSource } from './defaults/resume-source.js';
import { createSafeTransport } from './defaults/safe-transport.js';
import { createSecretBox } from './defaults/sealed-secrets.js';
import { createSystemRuntime } from './defaults/system-runtime.js';
import { RATE_LIMITS, type RateLimits } from './domain/rate-limit.js';
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
import type { OperatorAlerts } from './ports/operator-alerts.js';
import type { PhoneNumbers } from './ports/phone-numbers.js';
import type { ResumeSink, ResumeSource } from './ports/resume-sink.js';
import type { Runtime } from './ports/runtime.js';
import type { SecretBox } from './ports/secret-box.js';
import type { Storage } from './ports/storage.js';
import type { Logger, Telemetry } from './ports/telemetry.js';
import type { WebhookTransport } from './ports/webhook-transport.js';
import { attempt, SecretsUnreadable } from './worker/attempt.js';
import { WORKER_DEFAULTS } from './worker/options.js';
import { createWorker, type Worker, type WorkerOptions } from './worker/worker.js';

/** What a host says to have a partner API. Only `storage` and `secretKey` have no default. */
export interface PartnerHiringOptions<HostTx> {
  /** Where everything lives, e.g. `await createSqliteStorage({ file })`. */
  readonly storage: Storage<HostTx>;
  /**
   * Seals the webhook signing secrets at rest: 32 bytes, as bytes, hex or base64. Keep it outside the
   * database; without it the secrets in the database cannot be opened. Or bring a `secretBox`.
   */
  readonly secretKey?: Uint8Array | string;
  /** Seals them instead of `secretKey`: while you move to another key, or with a key service of yours. */
  readonly secretBox?: SecretBox;
  /** Told of paused endpoints and dead letters, which are logged in any case. */
  readonly alerts?: OperatorAlerts;
  /** Where résumés go; the folder `resumes` by default. */
  readonly resumeSink?: ResumeSink;
  /** A pino-compatible logger; silent by default. */
  readonly logger?: Logger;
  /** Where metrics and traces go; by default to the OpenTelemetry SDK that the host registered before. */
  readonly telemetry?: Telemetry;
  /** Requests per minute by bucket, where they differ from the specification's. */
  readonly limits?: Partial<RateLimits>;
  /** Under which path the API is served; `/api/v1/external` by default. */
  readonly basePath?: string;
  /** The largest request body in bytes; 256 KiB by default. */
  readonly maxBodyBytes?: number;
  /** Lets a decision fall while the application is still `received`. Off by default. */
  readonly decideFromReceived?: boolean;
  /**
   * Lets webhooks and résumé downloads reach private networks, and plain http. Only for tests and for
   * machines with nothing to protect: whoever may set a URL can then reach your network.
   */
  readonly allowPrivateNetworks?: boolean;
  /**
   * Lets sandbox keys (`pek_test_`) try everything out: each gets companies and jobs of its own, applications
   * of candidates with a magic address go their way by themselves, and every error can be met. Off by default.
   * Switch it on wherever keys are issued, the API is served, or the worker runs. `sandboxPage` shows partners
   * what there is.
   */
  readonly sandbox?: boolean;
  /** How the worker works: concurrency, leases, retention. */
  readonly worker?: Partial<WorkerOptions>;
  /** Sends webhooks, in place of `createSafeTransport`. `allowPrivateNetworks` is not passed to it. */
  readonly transport?: WebhookTransport;
  /** Downloads résumés, in place of `createResumeSource`. `allowPrivateNetworks` is not passed to it. */
  readonly resumeSource?: ResumeSource;
  /** Reads the phone numbers of candidates, in place of `createPhoneNumbers`. */
  readonly phoneNumbers?: PhoneNumbers;
  /** Time, identifiers and randomness, in place of `createSystemRuntime`: for tests. */
  readonly runtime?: Runtime;
}

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
  const { allowPrivateNetworks = false, sandbox = false } = options;
  const logger = createCleanLogger(options.logger ?? noLogger);
  const telemetry =
    options.telemetry === undefined ? createOpenTelemetry() : createCalmTelemetry(options.telemetry);
  const runtime = options.runtime ?? createSystemRuntime();
  const observers = createObservers(telemetry, logger, runtime);
  const storage = observeStorage(options.storage, observers.storage);
  const secretBox = options.secretBox ?? sealWith(options.secretKey);
  const limits = { ...RATE_LIMITS, ...options.limits };
  const network = { allowPrivateNetworks, allowPlainHttp: allowPrivateNetworks };
  const transport = options.transport ?? createSafeTransport(network);
  const resumeSource = options.resumeSource ?? createResumeSource(network);

  const operatorOptions: OperatorOptions<HostTx> = {
    storage,
    runtime,
    secretBox,
    rules: { decideFromReceived: options.decideFromReceived ?? false },
    urlPolicy: { allowPlainHttp: network.allowPlainHttp },
    sandbox,
    sendOnce: (endpoint, event) =>
      attempt({ transport, secretBox, clock: runtime.clock }, endpoint, event).catch(explainUnreadable),
    maxInFlightPerEndpoint: { ...WORKER_DEFAULTS, ...options.worker }.maxInFlightPerEndpoint,
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
    onBatch: observers.onBatch,
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
    worker,
    close: async () => {
      stopObserving();
      await worker.stop();
      await Promise.all([transport.close(), resumeSource.close()]);
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
