import type { PartnerGroup } from '../partner/create-partner-api.js';
import type { Telemetry } from '../ports/telemetry.js';
import { BATCH_SIZES } from './buckets.js';

/** Measures how many calls go together, by group. */
export function observeGroups(
  telemetry: Telemetry,
): (group: PartnerGroup | 'settling', size: number) => void {
  const measure = telemetry.histogram({
    name: 'partner_hiring.group.size',
    unit: '{call}',
    description: 'Calls that went together in one batch.',
    buckets: BATCH_SIZES,
  });
  return (group, size) => measure(size, { 'partner_hiring.group': group });
}
