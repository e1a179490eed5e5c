import { checkOptions } from './check-options.js';
import { RATE_LIMITS } from './domain/rate-limit.js';
import { fillInPorts } from './fill-in-ports.js';
import { createFetchHandler, type FetchHandler } from './http/fetch-handler.js';
import type { Handler } from './http/message.js';
import { observeBacklog } from './observe/backlog.js';
import { observeOperator } from './observe/endpoints.js';
import { createOperator, type Operator } from './operator/operator.js';
import { createHostHandler } from './partner-hiring/host-handler.js';
import { createHostWorker } from './partner-hiring/host-worker.js';
import { operatorOptionsOf } from './partner-hiring/operator-options.js';
import type { PartnerHiringOptions } from './partner-hiring-options.js';
import { startTimeLimit } from './worker/deadline.js';
import { WORKER_DEFAULTS } from './worker/options.js';
import type { Worker } from './worker/worker.js';

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
  const ports = fillInPorts(options);
  const { storage, storageClock, transport, resumeSource, telemetry, logger, observers } = ports;
  const { clock } = ports.runtime;

  const forOperator = operatorOptionsOf(options, ports, (keyIds) => worker.wake(keyIds));
  const worker = createHostWorker(options, ports, forOperator);
  const handler = createHostHandler(options, ports, () => worker.wakeResumeFiles());
  const operator = observeOperator(createOperator(forOperator), observers.endpoints, logger);
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
