import type { ResultOf } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { BarChart } from '../../view/bar-chart.js';
import { DataTable } from '../../view/data-table.js';
import { countText, MaybeLink, Section } from '../../view/parts.js';

type Hours = ResultOf<'system.overview'>['hours'];

/** Requests by status, and attempts by outcome, in each of the last 24 hours. */
export function DaySection({ call, hours }: { readonly call: ScreenCall; readonly hours: Hours }) {
  return (
    <Section title="The last 24 hours">
      <div class="columns">
        <BarChart
          title="Requests of partners by hour"
          rowHeader="Hour (UTC)"
          series={[
            { name: 'Succeeded', tone: 'good' },
            { name: 'Refused (4xx)', tone: 'warn' },
            { name: 'Failed (5xx)', tone: 'bad' },
          ]}
          bars={hours.map(({ hour, requests }) => ({
            label: hourText(hour),
            values: [
              countBetween(requests, 0, 399),
              countBetween(requests, 400, 499),
              countBetween(requests, 500, 599),
            ],
          }))}
        />
        <BarChart
          title="Attempts to deliver by hour"
          rowHeader="Hour (UTC)"
          series={[
            { name: 'Succeeded', tone: 'good' },
            { name: 'Failed', tone: 'bad' },
          ]}
          bars={hours.map(({ hour, succeeded, failed }) => ({
            label: hourText(hour),
            values: [succeeded, failed],
          }))}
        />
      </div>
      <DataTable
        caption="Requests of partners by status, in 24 hours"
        empty="No request was counted."
        rows={totalsOf(hours)}
        columns={[
          {
            header: 'Status',
            cell: ({ status }) => (
              <MaybeLink href={status < 400 ? null : call.link('requests', '', { errors: 'yes' })}>
                {String(status)}
              </MaybeLink>
            ),
          },
          { header: 'Requests', isNumber: true, cell: ({ count }) => countText(count) },
        ]}
      />
    </Section>
  );
}

function hourText(hour: number): string {
  return new Date(hour).toISOString().slice(0, 16).replace('T', ' ');
}

function countBetween(requests: Hours[number]['requests'], from: number, to: number): number {
  return requests
    .filter(({ status }) => status >= from && status <= to)
    .reduce((total, { count }) => total + count, 0);
}

/** Sums each status over all hours, lowest status first. */
function totalsOf(hours: Hours): Hours[number]['requests'] {
  const totals = new Map<number, number>();
  for (const { requests } of hours) {
    for (const { status, count } of requests) totals.set(status, (totals.get(status) ?? 0) + count);
  }
  return [...totals].map(([status, count]) => ({ status, count })).sort((a, b) => a.status - b.status);
}
