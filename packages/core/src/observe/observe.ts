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
    },
    testDeliveries: observeTestDeliveries(telemetry),
    endpoints,
    storage: createStorageObserver(telemetry, endpoints.paused),
    batchers,
  };
}
