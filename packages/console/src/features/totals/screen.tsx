import type { TotalsFilter, TotalsRow, UnseenJob } from '@partner-hiring/core';
import type { Fields, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { choiceIn } from '../../screens/parts/choices.js';
import { cursorOf, defineList } from '../../screens/parts/define-list.js';
import type { LoadedOptions } from '../../screens/parts/filter-field.js';
import { filterOf, ofOwnPartner } from '../../screens/parts/list-filter.js';
import { NamedLink } from '../../screens/parts/names.js';
import type { Column } from '../../view/data-table.js';
import { countText, durationText, Time } from '../../view/parts.js';

/** The months whose totals are kept, newest first. */
async function monthOptions({ gate }: ScreenCall): Promise<LoadedOptions> {
  const { partnerIds } = gate.actor;
  const partnerId = partnerIds === 'all' ? undefined : partnerIds[0];
  const { items } = await gate.call('totals.list', { by: 'month', partnerId });
  return { options: items.map(({ month }) => [month, month]) };
}

const ROWS = [
  ['partner', LABELS.all.partners],
  ['company', LABELS.all.companies],
  ['month', 'Months'],
] as const;

const FILTER = filterOf('totals.list', [
  { name: 'by', label: 'Rows', kind: 'choice', any: null, options: ROWS },
  { name: 'month', label: 'Month (UTC)', kind: 'choice', any: null, load: monthOptions },
  { name: 'environment', label: LABELS.environment, any: 'Production' },
  { name: 'partner', label: LABELS.one.partner },
  { name: 'company', label: LABELS.one.company },
]);

/** The month chooses no row of a list by month. */
function readFilter(fields: Fields, { gate }: ScreenCall) {
  const chosen = FILTER.read(fields);
  if ('problem' in chosen) return chosen;
  const by = choiceIn(['partner', 'company', 'month'], fields.text('by'));
  if (by === 'company' && chosen.filter.companyId !== undefined)
    return { problem: 'To see one company, choose rows by partner or by month.' };
  const month = by === 'month' ? undefined : (fields.text('month') ?? undefined);
  return ofOwnPartner<TotalsFilter>({ ...chosen.filter, by, month }, gate);
}

const showTotals = defineList<TotalsRow>({
  title: 'Totals',
  path: '/totals',
  fields: FILTER.fields,
  read: async (call, fields) => {
    const read = readFilter(fields, call);
    if ('problem' in read) return read;
    const found = await call.gate.call('totals.list', { ...read.filter, cursor: cursorOf(fields) });
    const { startedAt = null, countedUntil = null } = found.items[0] ?? {};
    return {
      ...found,
      caption: 'Figures of a month',
      empty: 'Nothing is counted for this choice.',
      columns: columnsOf(call),
      before: (
        <p class="hint">
          {countedUntil === null ? (
            'Nothing is counted yet. A worker counts every five minutes.'
          ) : (
            <>
              Counted up to <Time at={countedUntil} />. Refused requests and deliveries are counted since{' '}
              <Time at={startedAt} />.
            </>
          )}
        </p>
      ),
    };
  },
});

function columnsOf(call: ScreenCall): readonly Column<TotalsRow>[] {
  const count = (header: string, of: (row: TotalsRow) => number | null): Column<TotalsRow> => ({
    header,
    isNumber: true,
    cell: (row) => {
      const figure = of(row);
      return figure === null ? '–' : countText(figure);
    },
  });
  const named = (screen: 'partners' | 'companies', id: string | null, name: string | null) =>
    id === null ? 'All' : <NamedLink href={call.link(screen, `/${id}`)} name={name} id={id} />;
  return [
    { header: 'Month', cell: ({ month }) => month },
    {
      header: LABELS.one.partner,
      cell: ({ partnerId, partnerName }) => named('partners', partnerId, partnerName),
    },
    {
      header: LABELS.one.company,
      cell: ({ companyId, companyName }) => named('companies', companyId, companyName),
    },
    count('Jobs shown', ({ shown }) => shown),
    count('Submitted', ({ submitted }) => submitted),
    count('Hired', ({ hired }) => hired),
    count('Rejected', ({ rejected }) => rejected),
    {
      header: 'Median time to decision',
      isNumber: true,
      cell: ({ medianToDecisionMs: ms }) => (ms === null ? '–' : `up to ${durationText(ms)}`),
    },
    count('Refused requests', ({ refused }) => refused),
    count('Events delivered', ({ delivered }) => delivered),
  ];
}

const REASONS: Readonly<Record<UnseenJob['reason'], string>> = {
  no_access: 'The key has no access to the company',
  access_revoked: 'Access was revoked',
  not_shown: 'The key has access, but does not see the job',
};

const MISSING = filterOf('totals.listMissing', [
  { name: 'key', label: 'Key that misses jobs' },
  { name: 'other', field: 'otherKeyId', label: 'Key that sees them' },
  { name: 'company', label: LABELS.one.company },
]);

const showMissing = defineList<UnseenJob>({
  title: 'Jobs that only one key sees',
  path: '/totals/missing',
  fields: MISSING.fields,
  read: async (call, fields) => {
    const read = MISSING.read(fields);
    if ('problem' in read) return read;
    const { keyId, otherKeyId, companyId } = read.filter;
    if (keyId === undefined || otherKeyId === undefined)
      return { problem: 'Choose two keys of one environment.', status: 200 };
    const cursor = cursorOf(fields);
    return {
      ...(await call.gate.call('totals.listMissing', { keyId, otherKeyId, companyId, cursor })),
      caption: 'Jobs that the other key sees and this key does not',
      empty: 'This part of the jobs has none that only the other key sees.',
      columns: [
        {
          header: LABELS.one.job,
          cell: ({ jobId, jobTitle }) => (
            <NamedLink href={call.link('jobs', `/${jobId}`)} name={jobTitle} id={jobId} />
          ),
        },
        {
          header: LABELS.one.company,
          cell: (row) => (
            <NamedLink
              href={call.link('companies', `/${row.companyId}`)}
              name={row.companyName}
              id={row.companyId}
            />
          ),
        },
        { header: LABELS.reason, cell: ({ reason }) => REASONS[reason] },
        { header: 'Since', cell: ({ since }) => <Time at={since} /> },
      ],
      after: (
        <p class="hint">
          <a href={call.at('/totals/missing', { key: otherKeyId, other: keyId })}>
            Compare the other way round
          </a>
        </p>
      ),
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
