import type { PartnerGroup } from '../partner/create-partner-api.js';
import type { Logger, Telemetry } from '../ports/telemetry.js';
import type { WorkerGroup } from '../worker/worker.js';
import { BATCH_SIZES } from './buckets.js';

/** Watches groups. */
export interface GroupObserver<Group extends string> {
  /** So many calls go together. */
  onBatch(group: Group, size: number): void;
  /** They failed together, and are run again one by one. */
  onBroken(group: Group, size: number, err: unknown): void;
}

/** Measures how many calls go together, by group, and tells of batches that fail: otherwise it shows as slowness alone. */
export function observeGroups(
  telemetry: Telemetry,
  logger: Logger,
): GroupObserver<PartnerGroup | WorkerGroup> {
  const measure = telemetry.histogram({
    name: 'partner_hiring.group.size',
    unit: '{call}',
    description: 'Calls that went together in one batch.',
    buckets: BATCH_SIZES,
  });
  return {
    onBatch: (group, size) => measure(size, { 'partner_hiring.group': group }),
    onBroken: (group, size, err) =>
      logger.warn({ err, group, size }, 'A batch failed as a whole; its calls are run one by one.'),
  };
}
