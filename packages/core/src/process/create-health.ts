import type { PartnerHiring } from '../create-partner-hiring.js';
import { StorageUnavailable } from '../errors.js';
import type { WorkerState } from '../worker/worker.js';

/** The answer to a probe of this process. Send it as JSON with its `status`. */
export interface HealthReport {
  /** The status of the reply: 200, or 503 if the process should get no traffic. */
  readonly status: 200 | 503;
  /** Whether the storage answers; null if it was not asked. */
  readonly storage: 'up' | 'down' | null;
  /** The worker of this process. */
  readonly worker: WorkerState;
  /** Whether `stopSoon` or `close` was called. */
  readonly isStopping: boolean;
  /** One sentence for each reason of a 503. They contain no address, secret or personal data. */
  readonly problems: readonly string[];
  /**
   * Why this process sends nothing outside, or not to all endpoints, although it gets traffic; null if it sends, or if
   * the storage was not asked.
   */
  readonly silence: string | null;
}

/** Answers the probes of an orchestrator or load balancer. */
export interface Health {
  /**
   * Succeeds as long as the process answers. Use it for a probe that restarts the process, because a restart does not
   * bring a database back.
   */
  live(): HealthReport;
  /**
   * Reads one row from the storage. Checks at the same time share one read. The report has status 503 in three cases:
   * the storage does not answer, the worker of this process is `silent`, or `stopSoon` or `close` was called. Rejects
   * only with an unexpected error.
   */
  ready(limits?: {
    /** How long the storage may take to answer, in milliseconds; default: 2,000. A probe must wait longer. */
    readonly timeoutMs?: number | undefined;
  }): Promise<HealthReport>;
}

const DEFAULT_TIMEOUT_MS = 2_000;

/**
 * Creates the liveness and readiness checks of this process.
 * @example
 * const health = createHealth(partnerHiring);
 * app.get('/livez', () => health.live());
 * app.get('/readyz', async (_request, reply) => {
 *   const report = await health.ready();
 *   return reply.code(report.status).send(report);
 * });
 */
export function createHealth(
  partnerHiring: Pick<PartnerHiring<never>, 'worker' | 'isStopping' | 'silence'>,
): Health {
  let underWay: Promise<boolean> | null = null;
  let silence: string | null = null;

  function isStorageUp(): Promise<boolean> {
    underWay ??= partnerHiring
      .silence()
      .then((found) => {
        silence = found;
        return true;
      }, isUnavailable)
      .finally(() => {
        underWay = null;
      });
    return underWay;
  }

  function report(storage: HealthReport['storage'], problems: readonly string[]): HealthReport {
    const worker = partnerHiring.worker.state();
    const isStopping = partnerHiring.isStopping();
    const status = problems.length === 0 ? 200 : 503;
    return { status, storage, worker, isStopping, problems, silence: storage === 'up' ? silence : null };
  }

  return {
    live: () => report(null, []),
    async ready({ timeoutMs = DEFAULT_TIMEOUT_MS } = {}) {
      if (partnerHiring.isStopping()) return report(null, [STOPPING]);
      const isUp = await within(timeoutMs, isStorageUp());
      const problems = [
        ...(isUp === null ? [`The storage did not answer within ${timeoutMs} ms.`] : []),
        ...(isUp === false ? ['The storage is unavailable.'] : []),
        ...(partnerHiring.worker.state() === 'silent' ? [SILENT] : []),
        // It may have begun meanwhile.
        ...(partnerHiring.isStopping() ? [STOPPING] : []),
      ];
      return report(isUp ? 'up' : 'down', problems);
    },
  };
}

const STOPPING = 'The process is stopping.';
const SILENT = 'The worker has not reported for 90 seconds.';

/** An unexpected error is a bug, and not a state of the storage. */
function isUnavailable(error: unknown): false {
  if (error instanceof StorageUnavailable) return false;
  throw error;
}

/** Returns null if the answer takes longer. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
