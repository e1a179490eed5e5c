import { observeInboxHandOver } from '../features/inbox/metrics.js';
import type { InboxObserver } from '../features/inbox/task.js';
import type { RequestLogObserver } from '../features/request-log/recorder.js';
import { observeGivenUpResumes } from '../features/resumes/metrics.js';
import type { RequestObserver } from '../http/observer.js';
import type { PartnerBatch } from '../partner/create-partner-api.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';
import type { StorageClock } from '../storage-clock.js';
import type { AttemptObserver } from '../worker/attempt.js';
import type { WorkerObserver } from '../worker/worker.js';
import { observeAttempts, observeTestDeliveries } from './attempts.js';
import { createEndpointObserver, type EndpointObserver } from './endpoints.js';
import { type EndedSecretObserver, observeEndedSecrets, observeRequests } from './requests.js';
import {
  type BatchObserver,
  createStorageObserver,
  observeBatches,
  type StorageObserver,
} from './storage.js';

export interface Observers {
  readonly requests: RequestObserver;
  readonly endedSecrets: EndedSecretObserver;
  readonly worker: WorkerObserver;
  readonly testDeliveries: AttemptObserver;
  readonly endpoints: EndpointObserver;
  readonly storage: StorageObserver;
  readonly batchers: BatchObserver<PartnerBatch>;
  readonly inbox: InboxObserver;
  readonly requestLog: RequestLogObserver;
}

export function createObservers(
  telemetry: Telemetry,
  logger: Logger,
  storageClock: Pick<StorageClock, 'now'>,
): Observers {
  const batchers = observeBatches(telemetry, logger);
  const endpoints = createEndpointObserver(telemetry);
  return {
    requests: observeRequests(telemetry, logger),
    endedSecrets: observeEndedSecrets(telemetry, logger),
    worker: {
      ...observeAttempts(telemetry, logger, storageClock),
      settling: (count) => batchers.onBatch('settling', count),
      brokenBatch: batchers.onBroken,
      resumeGivenUp: observeGivenUpResumes(telemetry, logger),
    },
    testDeliveries: observeTestDeliveries(telemetry),
    endpoints,
    storage: createStorageObserver(telemetry, endpoints.paused),
    batchers,
    inbox: observeInboxHandOver(telemetry, logger),
    requestLog: observeRequestLog(telemetry, logger),
  };
}

/** A full buffer must not fill the host's log. */
const WARN_EVERY_SECONDS = 60;

function observeRequestLog(telemetry: Telemetry, logger: Logger): RequestLogObserver {
  const count = telemetry.counter({
    name: 'partner_hiring.request_log.dropped',
    unit: '{request}',
    description: 'Requests that are missing in the request log, because too many waited to be written.',
  });
  let dropped = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    dropped(requests) {
      count(requests, {});
      dropped += requests;
      const now = telemetry.seconds();
      if (now - warnedAt < WARN_EVERY_SECONDS) return;
      logger.warn(
        { dropped },
        'The request log is full, because the database is too slow. Some requests are missing in it.',
      );
      warnedAt = now;
      dropped = 0;
    },
    failed: (err, waiting) =>
      logger.error(
        { err, waiting },
        'The request log could not be written. It stays in memory and is written again.',
      ),
  };
}
