import { checkOptions } from './check-options.js';
import { createHostWorker, operatorOptionsOf } from './create-host-worker.js';
import { HOST_ACTOR } from './domain/audit.js';
import { knowsOnlyEnglish } from './domain/countries.js';
import { withDefaults } from './domain/optional.js';
import { RATE_LIMITS } from './domain/rate-limit.js';
import { SECOND_MS } from './domain/time.js';
import { createOperatorOf, createStepperOf } from './features/commands.js';
import type { AnyOptions, Feature, FeatureHost, MadeFeature } from './features/feature.js';
import { FEATURES } from './features/features.js';
import type { InboxInHost, InboxInStorage } from './features/inbox/options.js';
import { type FilledInPorts, fillInPorts } from './fill-in-ports.js';
import { createFetchHandler, type FetchHandler, offerFlush } from './http/fetch-handler.js';
import { createHandler } from './http/handler.js';
import type { Handler } from './http/message.js';
import { buildReply } from './http/wire.js';
import { observeBacklog, observeEndpointCommands } from './observe/endpoints.js';
import { findSilence } from './operator/find-deployment.js';
import type { ObserveEndpoints, Operator, OperatorOptions } from './operator/operator.js';
import { separateTransactions } from './operator/runners.js';
import type { PartnerHiringOptions } from './options.js';
import { createSubmissionAnnouncer } from './partner/announce-submissions.js';
import { createPartnerApi } from './partner/create-partner-api.js';
import type { PartnerApi } from './partner/partner-api.js';
import { waitWithin } from './worker/host-deadline.js';
import { WORKER_DEFAULTS } from './worker/options.js';
import type { Worker } from './worker/worker.js';

/** A partner API, ready to mount. */
export interface PartnerHiring<HostTx> {
  /** The framework-neutral handler that adapters mount. It never rejects. */
  readonly handler: Handler;
  readonly fetch: FetchHandler;
  readonly operator: Operator<HostTx>;
  /** Sends webhooks, downloads résumés and deletes expired rows, once a process calls `worker.start()`. */
  readonly worker: Worker;
  /**
   * Writes everything that this process has in memory: the request log, counts, and announcements of work. In a
   * serverless function, call it after the reply, before the platform may freeze the process. Never rejects: entries
   * that cannot be written stay in memory.
   * @example
   * const reply = await partnerHiring.fetch(request);
   * await partnerHiring.flush();
   */
  flush(): Promise<void>;
  /**
   * Announces that this process stops soon: from now on, `createHealth` reports that it is not ready. Requests are
   * still answered, and the worker goes on. `stopOnSignals` calls it.
   */
  stopSoon(): void;
  /** Returns whether `stopSoon` or `close` was called. */
  isStopping(): boolean;
  /**
   * Reads one row from the storage. Returns why this process sends nothing outside, or not to all endpoints, such as on a
   * copy of the database; null if it sends. `createHealth` calls it.
   * @throws StorageUnavailable
   */
  silence(): Promise<string | null>;
  /**
   * Stops the worker gracefully, writes what this process has in memory, then closes the storage. Later calls return
   * the same promise.
   */
  close(): Promise<void>;
}

const SMALL_ICU =
  'This Node was built with small ICU, so jobs whose country is a name in another language than English keep it as text. ' +
  'Use a Node with full ICU, as nodejs.org has it, or set NODE_ICU_DATA.';

/**
 * Creates a partner API from a storage and a secret key. Every other option has a default.
 * @throws OperatorError `MISCONFIGURED` if an option is missing or invalid. The message says how to fix it.
 * @example
 * const partnerHiring = createPartnerHiring({
 *   storage: await createSqliteStorage({ file: 'partner-hiring.sqlite' }),
 *   secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '',
 * });
 * partnerHiring.worker.start();
 */
export function createPartnerHiring<HostTx, StorageTx, Tx = HostTx>(
  options: PartnerHiringOptions<HostTx, StorageTx, Tx, InboxInHost<HostTx, Tx>>,
): PartnerHiring<HostTx>;
export function createPartnerHiring<HostTx, StorageTx>(
  options: PartnerHiringOptions<HostTx, StorageTx, HostTx, InboxInStorage<StorageTx>>,
): PartnerHiring<HostTx>;
export function createPartnerHiring<HostTx, StorageTx, Tx = HostTx>(
  options: PartnerHiringOptions<HostTx, StorageTx, Tx>,
): PartnerHiring<HostTx>;
// One overload for each way to open the inbox's transaction, so that the parameters of `receive` are inferred.
export function createPartnerHiring<HostTx, StorageTx, Tx = HostTx>(
  options: PartnerHiringOptions<HostTx, StorageTx, Tx>,
): PartnerHiring<HostTx> {
  return createFromFeatures(options, FEATURES);
}

/** Creates a partner API with these features. */
export function createFromFeatures<HostTx, StorageTx, Tx = HostTx>(
  options: PartnerHiringOptions<HostTx, StorageTx, Tx>,
  features: readonly Feature[],
): PartnerHiring<HostTx> {
  checkOptions(options, { limits: RATE_LIMITS, worker: WORKER_DEFAULTS }, features);
  const ports = fillInPorts(options);
  const { storage, storageClock, transport, resumeSource, telemetry, logger, observers } = ports;
  const { clock } = ports.runtime;
  if (knowsOnlyEnglish()) logger.warn({}, SMALL_ICU);

  const anyOptions = options as AnyOptions;
  const operatorOptions: OperatorOptions<HostTx> = {
    ...operatorOptionsOf(anyOptions, ports, features),
    onCommitted: (keyIds) => worker.wake(keyIds),
    onPending: () => worker.expectWork(),
    flushRequests: () => flushAll(),
  };
  const observedBy =
    (who: 'The operator' | 'A partner'): ObserveEndpoints =>
    (commands) =>
      observeEndpointCommands(commands, observers.endpoints, logger, who);
  const { operator, actAsPartner } = createOperatorOf(operatorOptions, features, {
    observeEndpoints: observedBy('The operator'),
    observePartners: observedBy('A partner'),
  });
  const host: FeatureHost = {
    options: anyOptions,
    ports: ports as FeatureHost['ports'],
    actAsPartner,
    runnerAs: (actor) => separateTransactions(operatorOptions, actor),
    worker: () => worker,
  };
  const made = features.flatMap(({ make }) => make?.(host) ?? []);
  const toldOfDeliveries = made.flatMap(({ delivered }) => delivered ?? []);
  const flushAll = async () => void (await Promise.all(made.map((each) => each.flush?.())));
  const worker = createHostWorker(options, ports, {
    features: made,
    operations: createStepperOf(host.runnerAs(HOST_ACTOR), features),
    onDelivered: (attempt, at) => {
      for (const tell of toldOfDeliveries) tell(attempt, at);
    },
  });
  const announcer = storage.announcesWork ? createSubmissionAnnouncer(storage.direct, clock, logger) : null;
  const handler = createHostHandler(options, ports, made, () => announcer?.announce());

  const flush = async () => {
    await Promise.all([flushAll(), announcer?.idle(), worker.flush()]);
  };
  offerFlush(handler, flush);

  const gauges: readonly (() => void)[] = [
    observeBacklog(telemetry, storage.direct.endpoints, storageClock, logger),
    ...made.flatMap((each) => each.gauges ?? []),
  ];
  /** The parts to close, in this order. */
  const closers: readonly (() => Promise<void>)[] = [
    () => worker.stop(),
    () =>
      waitWithin(clock, worker.leftToStop(), (isOver) =>
        Promise.all([transport.close(isOver), resumeSource.close(isOver)]),
      ),
    () =>
      waitWithin(clock, Math.max(WRITE_MS, worker.leftToStop()), () =>
        Promise.all([...made.map((each) => each.close?.()), announcer?.idle()]),
      ),
    () => storage.close(),
  ];
  let isStopping = false;
  let closing: Promise<void> | null = null;
  async function close(): Promise<void> {
    for (const unregister of gauges) unregister();
    for (const end of closers) await end();
  }

  return {
    handler,
    flush,
    fetch: createFetchHandler(handler),
    operator,
    worker,
    stopSoon() {
      isStopping = true;
    },
    isStopping: () => isStopping,
    silence: () => findSilence(storage.direct, operatorOptions),
    close() {
      isStopping = true;
      closing ??= close();
      return closing;
    },
  };
}

/** The time for writing what is in memory, in milliseconds, even if the worker's stop has used up its limit. */
const WRITE_MS = SECOND_MS;

function createHostHandler<HostTx, StorageTx, Tx>(
  options: PartnerHiringOptions<HostTx, StorageTx, Tx>,
  ports: FilledInPorts<HostTx, StorageTx>,
  made: readonly MadeFeature[],
  onSubmitted: () => void,
): Handler {
  const { storage, storageClock, runtime, phones, logger, observers } = ports;
  const limits = withDefaults(RATE_LIMITS, options.limits);
  const partner = createPartnerApi({
    storage,
    storageClock,
    runtime,
    limits,
    phones,
    buildReply,
    onResumeSubmitted() {
      for (const each of made) each.resumeSubmitted?.();
    },
    onEndedSecret: observers.endedSecrets,
    ...observers.batchers,
  });
  const announced: PartnerApi = {
    ...partner,
    submitApplication: async (call) => {
      const outcome = await partner.submitApplication(call);
      if (outcome.kind === 'created') onSubmitted();
      return outcome;
    },
  };
  return createHandler({
    partner: made.reduce((wrapped, { wrap }) => wrap?.(wrapped) ?? wrapped, announced),
    limits,
    logger,
    observer: observers.requests,
    recorder: made.find((each) => each.recorder !== undefined)?.recorder,
    clock: storageClock,
    random: runtime.random,
    basePath: options.basePath,
    maxBodyBytes: options.maxBodyBytes,
    bodyTimeoutMs: options.bodyTimeoutMs,
    maxInFlightPerKey: options.maxInFlightPerKey,
    paths: made.flatMap(({ paths }) => paths ?? []),
  });
}
