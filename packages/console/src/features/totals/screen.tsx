import type { TotalsFilter, TotalsRow, UnseenJob } from '@partner-hiring/core';
import type { Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { labelOf } from '../../screens/parts/choices.js';
import { cursorOf, defineList } from '../../screens/parts/define-list.js';
import { filterOf, ofOwnPartner } from '../../screens/parts/list-filter.js';
import { NamedLink } from '../../screens/parts/names.js';
import type { Column } from '../../view/data-table.js';
import { countText, durationText, MaybeLink, Time } from '../../view/parts.js';

const ROWS = { partner: LABELS.all.partners, company: LABELS.all.companies, month: 'Months' };

const FILTER = filterOf('totals.list', [
  { name: 'by', label: 'Rows', any: null, labels: ROWS },
  { name: 'month', label: 'Month (UTC)', isPinned: true },
  { name: 'environment', label: LABELS.environment, any: null },
  { name: 'partner', label: LABELS.one.partner },
  { name: 'company', label: LABELS.one.company },
]);

const showTotals = defineList<TotalsRow>({
  title: 'Totals',
  path: '/totals',
  fields: FILTER.fields,
  read: async (call, fields) => {
    const chosen = FILTER.read(fields);
    const read = 'problem' in chosen ? chosen : ofOwnPartner<TotalsFilter>(chosen.filter, call.gate);
    if ('problem' in read) return read;
    const found = await call.gate.call('totals.list', { ...read.filter, cursor: cursorOf(fields) });
    return {
      ...found,
      caption: 'Figures of a month',
      empty: 'Nothing is counted for this choice.',
      columns: columnsOf(call),
      before: <Counted row={found.items[0]} />,
      after: (
        <p class="hint">
          <MaybeLink href={call.gate.may('jobs:read') ? call.at('/totals/missing') : null}>
            Why does a key see fewer jobs than another one?
          </MaybeLink>
        </p>
      ),
    };
  },
});

/** Without a row, there is nothing to say. */
function Counted({ row }: { readonly row: TotalsRow | undefined }) {
  return row === undefined ? null : (
    <p class="hint">
      Counted up to <Time at={row.countedUntil} />: jobs and applications from the first one on. Refused
      requests and deliveries since <Time at={row.startedAt} />, up to the last full hour; if a process is
      killed, its last ones are missing.
    </p>
  );
}

function columnsOf(call: ScreenCall): readonly Column<TotalsRow>[] {
  const figure = (header: string, of: (row: TotalsRow) => number | null, textOf = countText) => {
    const cell = (row: TotalsRow) => {
      const value = of(row);
      return value === null ? '–' : textOf(value);
    };
    return { header, cell, isNumber: true };
  };
  const named = (screen: 'partners' | 'companies', id: string | null, name: string | null) =>
    id === null ? 'All' : <NamedLink href={call.link(screen, `/${id}`)} name={name} id={id} />;
  return [
    { header: 'Month', cell: ({ month }) => <a href={call.at('/totals', { month })}>{month}</a> },
    { header: LABELS.one.partner, cell: (row) => named('partners', row.partnerId, row.partnerName) },
    { header: LABELS.one.company, cell: (row) => named('companies', row.companyId, row.companyName) },
    figure('Jobs shown', ({ shown }) => shown),
    figure('Submitted', ({ submitted }) => submitted),
    figure('Hired', ({ hired }) => hired),
    figure('Rejected', ({ rejected }) => rejected),
    figure(
      'Median time to decision',
      (row) => row.medianToDecisionMs,
      (ms) => `up to ${durationText(ms)}`,
    ),
    figure('Refused requests', ({ refused }) => refused),
    figure('Events delivered', ({ delivered }) => delivered),
  ];
}

const MISSING = filterOf('totals.listMissing', [
  { name: 'key', label: 'Key that misses jobs' },
  { name: 'other', field: 'otherKeyId', label: 'Key that sees them' },
]);

const showMissing = defineList<UnseenJob>({
  title: 'Jobs that only one key sees',
  path: '/totals/missing',
  fields: MISSING.fields,
  read: async (call, fields) => {
    const read = MISSING.read(fields);
    if ('problem' in read) return read;
    const { keyId, otherKeyId } = read.filter;
    if (keyId === undefined || otherKeyId === undefined)
      return { problem: 'Choose two keys of one environment.', status: 200 };
    const input = { keyId, otherKeyId, cursor: cursorOf(fields) };
    const named = (screen: 'jobs' | 'companies', id: string, name: string) => (
      <NamedLink href={call.link(screen, `/${id}`)} name={name} id={id} />
    );
    return {
      ...(await call.gate.call('totals.listMissing', input)),
      caption: 'Jobs that the other key sees and this key does not',
      empty: 'This part of the jobs has none that only the other key sees.',
      columns: [
        { header: LABELS.one.job, cell: ({ jobId, jobTitle }) => named('jobs', jobId, jobTitle) },
        { header: LABELS.one.company, cell: (row) => named('companies', row.companyId, row.companyName) },
        { header: LABELS.reason, cell: ({ reason }) => labelOf(reason) },
        { header: 'Since', cell: ({ since }) => <Time at={since} /> },
      ],
    };
  },
});

/** Figures by partner, company and month, and the comparison of two keys. */
export const totalsScreen: Screen = {
  name: 'totals',
  label: 'Totals',
  path: '/totals',
  rights: ['totals:read'],
  pages: { '/totals': showTotals, '/totals/missing': showMissing },
};
