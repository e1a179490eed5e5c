import type { DeliveryCounts } from '@partner-hiring/core';
import type { Report } from './command.js';
import { duration } from './outcome.js';
import { tableReport } from './report.js';

/** Renders the counts of each endpoint, and a row with their total. */
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
      OLDEST: ({ oldestWaitingMs }) => duration(oldestWaitingMs),
      EXACT: ({ isExact }) => (isExact ? 'yes' : 'at least'),
    },
    '',
  );
  return { value: counts, text };
}
