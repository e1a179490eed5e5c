import type { TotalsRow } from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';

const HOUR_MS = 3_600_000;

/** Months by row, or partners, or companies: the name that differs comes first. */
const list = listCommand('totals.list', {
  columns: {
    MONTH: ({ month }) => month,
    PARTNER: ({ partnerId, partnerName }) => nameOf(partnerId, partnerName),
    COMPANY: ({ companyId, companyName }) => nameOf(companyId, companyName),
    SHOWN: ({ shown }) => shown,
    SUBMITTED: ({ submitted }) => submitted,
    HIRED: ({ hired }) => hired,
    REJECTED: ({ rejected }) => rejected,
    'MEDIAN HOURS': ({ medianToDecisionMs }) => medianText(medianToDecisionMs),
    REFUSED: ({ refused }) => refused,
    DELIVERED: ({ delivered }) => delivered,
    'COUNTED SINCE': ({ startedAt }) => moment(startedAt),
    UNTIL: ({ countedUntil }) => moment(countedUntil),
  },
  empty: 'No totals.',
});

const missing = listCommand('totals.listMissing', {
  columns: {
    JOB: ({ jobId }) => jobId,
    TITLE: ({ jobTitle }) => jobTitle,
    COMPANY: ({ companyId, companyName }) => `${companyName} (${companyId})`,
    REASON: ({ reason }) => reason.replaceAll('_', ' '),
    SINCE: ({ since }) => moment(since),
  },
  empty: 'The key sees each job that the other key sees.',
});

/** Commands on totals. */
export const totalGroup: CommandGroup = {
  summary: 'TotalFigures by partner, company and month',
  standard: 'list',
  commands: { list, missing },
};

function nameOf(id: string | null, name: string | null): string {
  if (id === null) return 'all';
  return name === null ? id : `${name} (${id})`;
}

function medianText(ms: TotalsRow['medianToDecisionMs']): number | null {
  return ms === null ? null : ms / HOUR_MS;
}
