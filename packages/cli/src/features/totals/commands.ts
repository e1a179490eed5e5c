import type { CommandGroup } from '../../command/command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';

const HOUR_MS = 3_600_000;

const list = listCommand('totals.list', {
  columns: {
    MONTH: ({ from, to }) => (from === to ? from : `${from} to ${to}`),
    PARTNER: ({ partnerId, partnerName }) => nameOf(partnerId, partnerName),
    COMPANY: ({ companyId, companyName }) => nameOf(companyId, companyName),
    SHOWN: ({ shown }) => shown,
    SUBMITTED: ({ submitted }) => submitted,
    HIRED: ({ hired }) => hired,
    REJECTED: ({ rejected }) => rejected,
    'MEDIAN HOURS': ({ medianToDecisionMs: ms }) => ms && ms / HOUR_MS,
    REFUSED: ({ refused }) => refused,
    DELIVERED: ({ delivered }) => delivered,
    SINCE: ({ startedAt }) => moment(startedAt),
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
  summary: 'Figures by partner, company and month',
  standard: 'list',
  commands: { list, missing },
};

function nameOf(id: string | null, name: string | null): string {
  if (id === null) return 'all';
  return name === null ? id : `${name} (${id})`;
}
