import type { NewAlert } from '../domain/alert.js';
import type { PartnerBatch } from '../partner/create-partner-api.js';
import type { Repositories, Storage } from '../ports/storage.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';
import type { WorkerBatcher } from '../worker/worker.js';
import { BATCH_SIZES } from './buckets.js';

export interface StorageObserver {
  retried(times: number): void;
  /**
   * Call it after the commit that added the alerts. Each alert stands for one paused endpoint or one dead
   * letter.
   */
  alerted(alerts: readonly NewAlert[]): void;
}

export function createStorageObserver(
  telemetry: Telemetry,
  paused: (reason: string) => void,
): StorageObserver {
  const retries = telemetry.counter({
    name: 'partner_hiring.transaction.retries',
    unit: '{retry}',
    description: 'Repetitions of a transaction after contention.',
  });
  const deadLetters = telemetry.counter({
    name: 'partner_hiring.delivery.dead_letters',
    unit: '{delivery}',
    description: 'Deliveries that failed permanently.',
  });
  return {
    retried: (times) => retries(times, {}),
    alerted(alerts) {
      for (const alert of alerts) {
        if (alert.kind === 'delivery_dead') deadLetters(1, {});
        if (alert.kind === 'endpoint_paused') paused(alert.reason);
      }
    },
  };
}

/**
 * Reports alerts and retries after the commit, because a repeated or rolled-back transaction has changed
 * nothing.
 */
export function observeStorage<HostTx, StorageTx>(
  storage: Storage<HostTx, StorageTx>,
  observer: StorageObserver,
): Storage<HostTx, StorageTx> {
  return {
    direct: storage.direct,
    async transaction(work) {
      let tries = 0;
      let alerts: readonly NewAlert[] = [];
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
    hostTransactions: storage.hostTransactions,
    partOf: storage.partOf,
    rewriteErased: storage.rewriteErased,
    announcesWork: storage.announcesWork,
    close: () => storage.close(),
  };
}

/**
 * Notes the alerts that a transaction adds. A spread would lose methods, because the transaction may be an
 * instance of a class.
 */
function noteAlerts(tx: Repositories, note: (added: readonly NewAlert[]) => void): Repositories {
  const noted: Repositories['alerts'] = {
    async add(added) {
      await tx.alerts.add(added);
      note(added);
    },
    claim: (lease, limit) => tx.alerts.claim(lease, limit),
    settle: (...asked) => tx.alerts.settle(...asked),
    drop: (...asked) => tx.alerts.drop(...asked),
    listSent: (page) => tx.alerts.listSent(page),
    sweep: (...asked) => tx.alerts.sweep(...asked),
  };
  return new Proxy(tx, {
    get: (target, name) => (name === 'alerts' ? noted : Reflect.get(target, name)),
  });
}

export interface BatchObserver<Batcher extends string> {
  onBatch(batcher: Batcher, size: number): void;
  onBroken(batcher: Batcher, size: number, err: unknown): void;
}

export function observeBatches(
  telemetry: Telemetry,
  logger: Logger,
): BatchObserver<PartnerBatch | WorkerBatcher> {
  const measure = telemetry.histogram({
    name: 'partner_hiring.group.size',
    unit: '{call}',
    description: 'Calls in one batch.',
    attributes: ['partner_hiring.group'],
    buckets: BATCH_SIZES,
  });
  return {
    onBatch: (batcher, size) => measure(size, { 'partner_hiring.group': batcher }),
    onBroken: (batcher, size, err) =>
      logger.warn({ err, group: batcher, size }, 'A batch failed. Its calls run one at a time.'),
  };
}
