import type { Logger, Telemetry } from '../ports/telemetry.js';
import type { StorageClock } from '../storage-clock.js';
import type { WorkerObserver } from '../worker/worker.js';
import { observeAttempts, observeTestDeliveries } from './attempts.js';
import { createEndpointObserver } from './endpoints.js';
import { observeEndedSecrets, observeRequests } from './requests.js';
import { createStorageObserver, observeBatches } from './storage.js';

/** Everything that watches the other parts. */
export function createObservers(
  telemetry: Telemetry,
  logger: Logger,
  storageClock: Pick<StorageClock, 'now'>,
) {
  const batchers = observeBatches(telemetry, logger);
  const endpoints = createEndpointObserver(telemetry);
  const worker: WorkerObserver = {
    ...observeAttempts(telemetry, logger, storageClock),
    settling: (count) => batchers.onBatch('settling', count),
    brokenBatch: batchers.onBroken,
  };
  return {
    requests: observeRequests(telemetry, logger),
    endedSecrets: observeEndedSecrets(telemetry, logger),
    worker,
    testDeliveries: observeTestDeliveries(telemetry),
    endpoints,
    storage: createStorageObserver(telemetry, endpoints.paused),
    batchers,
  };
}
