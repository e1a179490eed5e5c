import type { DeliveryCounts, KeyId } from '@partner-hiring/core';
import type { Report } from '../../command/command.js';
import { tableReport } from '../../report/report.js';
import { duration } from './outcome.js';

/**
 * Renders the counts of each endpoint, and a row with their total. The labels are the partners of the keys, such as
 * `Acme ATS (production)`.
 */
export function countTable(counts: DeliveryCounts, labels: ReadonlyMap<KeyId, string> = new Map()): Report {
  const named = counts.endpoints.map((row) => ({ ...row, label: labels.get(row.keyId) ?? null }));
  const rows = [...named, { ...counts.overall, keyId: 'all', label: null }];
  const { text } = tableReport(
    rows,
    {
      KEY: ({ keyId }) => keyId,
      PARTNER: ({ label }) => label,
      DUE: ({ due }) => due,
      'IN FLIGHT': ({ inFlight }) => inFlight,
      SCHEDULED: ({ scheduled }) => scheduled,
      PAUSED: ({ paused }) => paused,
      DEAD: ({ dead }) => dead,
      OLDEST: ({ oldestWaitingMs }) => duration(oldestWaitingMs),
      EXACT: ({ isExact }) => (isExact ? 'yes' : 'at least'),
    },
    '',
  );
  return { value: counts, text };
}
