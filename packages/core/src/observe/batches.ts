import type { PartnerBatch } from '../partner/create-partner-api.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';
import type { WorkerBatcher } from '../worker/worker.js';
import { BATCH_SIZES } from './buckets.js';

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
): BatchObserver<PartnerBatch | WorkerBatcher> {
  const measure = telemetry.histogram({
    name: 'partner_hiring.group.size',
    unit: '{call}',
    description: 'Calls that went together in one batch.',
    buckets: BATCH_SIZES,
  });
  return {
    onBatch: (batcher, size) => measure(size, { 'partner_hiring.group': batcher }),
    onBroken: (batcher, size, err) =>
      logger.warn({ err, group: batcher, size }, 'A batch failed as a whole; its calls are run one by one.'),
  };
}
