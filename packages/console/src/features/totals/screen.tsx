import type { TotalsFilter, TotalsRow, UnseenJob } from '@partner-hiring/core';
import type { Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { labelOf } from '../../screens/parts/choices.js';
import { cursorOf, defineList } from '../../screens/parts/define-list.js';
import type { LoadedOptions } from '../../screens/parts/filter-field.js';
import { companyOptions } from '../../screens/parts/list-companies.js';
import { filterOf, ofOwnPartner } from '../../screens/parts/list-filter.js';
import { NamedLink, nameOf } from '../../screens/parts/names.js';
import type { Column } from '../../view/data-table.js';
import { shortId } from '../../view/ids.js';
import { countText, durationText, MaybeLink, Time } from '../../view/parts.js';

const ROWS = { partner: LABELS.all.partners, company: LABELS.all.companies, month: 'Months' };

const FILTER = filterOf('totals.list', [
  { name: 'by', label: 'Rows', any: null, labels: ROWS },
  { name: 'from', label: 'First month (UTC)', any: 'Default', load: monthOptions },
  { name: 'to', label: 'Last month (UTC)', any: 'The current one', load: monthOptions },
  { name: 'environment', label: LABELS.environment, any: null },
  { name: 'partner', label: LABELS.one.partner },
  { name: 'company', label: LABELS.one.company, load: companyOptions },
]);

/** Totals are kept for 400 days. */
const MONTHS_KEPT = 14;

async function monthOptions(): Promise<LoadedOptions> {
  const now = new Date();
  const months = Array.from({ length: MONTHS_KEPT }, (_, ago) => {
    const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago);
    return new Date(month).toISOString().slice(0, '2026-11'.length);
  });
  return { options: months.map((month) => [month, month]) };
}

const showTotals = defineList<TotalsRow>({
  title: LABELS.all.totals,
  path: '/totals',
  fields: FILTER.fields,
  read: async (call, fields) => {
    const chosen = FILTER.read(fields);
    const read = 'problem' in chosen ? chosen : ofOwnPartner<TotalsFilter>(chosen.filter, call.gate);
    if ('problem' in read) return read;
    const found = await call.gate.call('totals.list', { ...read.filter, cursor: cursorOf(fields) });
    const { by = 'partner' } = read.filter;
    const months = monthsText({ from: found.items.at(-1)?.from ?? '', to: found.items[0]?.to ?? '' });
    const kept = Object.fromEntries(FILTER.fields.map(({ name }) => [name, fields.text(name)]));
    return {
      ...found,
      caption: `Figures of ${months} (UTC)`,
      empty: 'Nothing is counted for this choice.',
      file: `totals ${ROWS[by]} ${months}`.toLowerCase().replaceAll(' ', '-'),
      columns: columnsOf(call, by, (changed) => call.at('/totals', { ...kept, ...changed })),
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
      Hired, Rejected and the median are about the decisions of these months, whenever the application was
      submitted. Counted up to <Time at={row.countedUntil} />: jobs and applications from the first one on.
      Refused requests and deliveries since <Time at={row.startedAt} />, up to the last full hour; if a
      process is killed, its last ones are missing.
    </p>
  );
}

function monthsText({ from, to }: Pick<TotalsRow, 'from' | 'to'>): string {
  return from === to ? from : `${from} to ${to}`;
}

/** @param at - the address of the list with other fields of the filter. */
function columnsOf(
  call: ScreenCall,
  by: NonNullable<TotalsFilter['by']>,
  at: (changed: Readonly<Record<string, string | null>>) => string,
): readonly Column<TotalsRow>[] {
  const figure = (header: string, of: (row: TotalsRow) => number | null, textOf = countText) => {
    const cell = (row: TotalsRow) => {
      const value = of(row);
      return value === null ? '–' : textOf(value);
    };
    return { header, cell, isNumber: true };
  };
  // Only rows of months, which lead no further here, link to the pages of partner and company.
  const named = (owner: 'partner' | 'company', id: string | null, name: string | null) => {
    if (id === null) return 'All';
    const months = at({ by: 'month', from: null, to: null, [owner]: id });
    const page = call.link(owner === 'partner' ? 'partners' : 'companies', `/${id}`);
    return <NamedLink href={by === 'month' ? page : months} name={name} id={id} />;
  };
  return [
    { header: 'Month', cell: ({ from, to }) => <a href={at({ from, to })}>{monthsText({ from, to })}</a> },
    { header: LABELS.one.partner, cell: (row) => named('partner', row.partnerId, row.partnerName) },
    { header: LABELS.one.company, cell: (row) => named('company', row.companyId, row.companyName) },
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
    const found = await call.gate.call('totals.listMissing', input);
    const isFirst = input.cursor === undefined;
    const all = isFirst && (await call.gate.call('totals.listMissing', { keyId, otherKeyId, limit: 1_000 }));
    const ids = [keyId, otherKeyId];
    const [key, other] = await Promise.all(
      ids.map(async (id) => (await nameOf.key(call.gate, id)) ?? shortId(id)),
    );
    const named = (screen: 'jobs' | 'companies', id: string, name: string) => (
      <NamedLink href={call.link(screen, `/${id}`)} name={name} id={id} />
    );
    return {
      ...found,
      caption: 'Jobs that the other key sees and this key does not',
      empty: 'This part of the jobs has none that only the other key sees.',
      before: (
        <p class="hint">
          {all
            ? `${other} sees jobs that ${key} does not: ${countText(all.items.length, all.nextCursor === null)}. `
            : null}
          <a href={call.at('/totals/missing', { key: otherKeyId, other: keyId })}>
            {`What does ${key} see that ${other} does not?`}
          </a>
        </p>
      ),
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
  label: LABELS.all.totals,
  path: '/totals',
  rights: ['totals:read'],
  pages: { '/totals': showTotals, '/totals/missing': showMissing },
};
