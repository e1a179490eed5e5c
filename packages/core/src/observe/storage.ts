import type { OperatorAlert } from '../domain/alert.js';
import type { PartnerBatch } from '../partner/create-partner-api.js';
import type { AlertRepository } from '../ports/repositories/claims.js';
import type { Repositories, Storage } from '../ports/storage.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';
import type { WorkerGroup } from '../worker/worker.js';
import { BATCH_SIZES } from './buckets.js';

/** What is counted of storages. */
export interface StorageObserver {
  /** Transactions that began again after contention: how many times more. */
  retried(times: number): void;
  /** Alerts that were committed: each stands for one pause or one dead letter. */
  alerted(alerts: readonly OperatorAlert[]): void;
}

/** Counts retried transactions, and pauses and dead letters by the alerts that are committed with them. */
export function createStorageObserver(
  telemetry: Telemetry,
  paused: (reason: string) => void,
): StorageObserver {
  const retries = telemetry.counter({
    name: 'partner_hiring.transaction.retries',
    unit: '{retry}',
    description: 'Times that a transaction began again because another one held what it needs.',
  });
  const deadLetters = telemetry.counter({
    name: 'partner_hiring.delivery.dead_letters',
    unit: '{delivery}',
    description: 'Deliveries that failed for the last time.',
  });
  return {
    retried: (times) => retries(times, {}),
    alerted(alerts) {
      for (const alert of alerts) {
        if (alert.kind === 'delivery_dead') deadLetters(1, {});
        else paused(alert.reason);
      }
    },
  };
}

/**
 * A storage whose transactions are watched. What a transaction did is told once it has committed: work that
 * begins again, or rolls back, has done nothing.
 */
export function observeStorage<HostTx>(storage: Storage<HostTx>, observer: StorageObserver): Storage<HostTx> {
  return {
    direct: storage.direct,
    async transaction(work) {
      let tries = 0;
      let alerts: readonly OperatorAlert[] = [];
      try {
        const result = await storage.transaction((tx) => {
          tries += 1;
          alerts = [];
          return work(
            noteAlerts(tx, (added) => {
              alerts = [...alerts, ...added];
            }),
          );
        });
        observer.alerted(alerts);
        return result;
      } finally {
        if (tries > 1) observer.retried(tries - 1);
      }
    },
    within: (hostTx) => storage.within(hostTx),
    close: () => storage.close(),
  };
}

/** All else is asked of the transaction itself, which may be an object of a class. */
function noteAlerts(tx: Repositories, note: (added: readonly OperatorAlert[]) => void): Repositories {
  const { alerts } = tx;
  const noted: AlertRepository = {
    async add(added) {
      await alerts.add(added);
      note(added);
    },
    claim: (lease, limit) => alerts.claim(lease, limit),
    settle: (ids, token) => alerts.settle(ids, token),
  };
  return new Proxy(tx, {
    get: (target, name) => (name === 'alerts' ? noted : Reflect.get(target, name)),
  });
}

/** Watches groups. */
export interface BatchObserver<Batcher extends string> {
  /** So many calls go together. */
  onBatch(batcher: Batcher, size: number): void;
  /** They failed together, and are run again one by one. */
  onBroken(batcher: Batcher, size: number, err: unknown): void;
}

/** Measures how many calls go together, by group, and tells of batches that fail: otherwise it shows as slowness alone. */
export function observeGroups(
  telemetry: Telemetry,
  logger: Logger,
): BatchObserver<PartnerBatch | WorkerGroup> {
  const measure = telemetry.histogram({
    name: 'partner_hiring.group.size',
    unit: '{call}',
    description: 'Calls that went together in one batch.',
    buckets: BATCH_SIZES,
  });
  return {
    onBatch: (batcher, size) => measure(size, { 'partner_hiring.group': batcher }),
    onBroken: (batcher, size, err) =>
      logger.warn({ err, batcher, size }, 'A batch failed as a whole; its calls are run one by one.'),
  };
}
