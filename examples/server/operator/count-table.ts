import type { DeliveryCounts } from '@partner-hiring/core';
import type { Report } from './command.js';
import { duration } from './outcome.js';
import { tableReport } from './report.js';

/** Renders counts per endpoint, and the total. */
export function countTable(counts: DeliveryCounts): Report {
  const rows = [...counts.endpoints, { ...counts.overall, keyId: 'all' }];
  const { text } = tableReport(
    rows,
    {
      KEY: ({ keyId }) => keyId,
      DUE: ({ due }) => due,
      'IN FLIGHT': ({ inFlight }) => inFlight,
      RETRYING: ({ scheduled }) => scheduled,
      PAUSED: ({ paused }) => paused,
      DEAD: ({ dead }) => dead,
      'OLDEST DUE': ({ oldestDueMs }) => duration(oldestDueMs),
      EXACT: ({ isExact }) => (isExact ? 'yes' : 'at least'),
    },
    '',
  );
  return { value: counts, text };
}
