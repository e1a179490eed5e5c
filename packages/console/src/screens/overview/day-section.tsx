import type { SystemStatus } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { BarChart } from '../../view/bar-chart.js';
import { countText, MaybeLink, Section } from '../../view/parts.js';
import { LOGGED_STATUSES } from '../parts/choices.js';

type Hours = NonNullable<SystemStatus['hours']>;

/** Requests by status, and attempts by outcome, in each of the last 24 hours. */
export function DaySection({ call, hours }: { readonly call: ScreenCall; readonly hours: Hours }) {
  return (
    <Section title="The last 24 hours">
      <div class="columns">
        <div>
          <BarChart
            title="Requests of partners by hour"
            series={[
              { name: 'Succeeded', tone: 'good' },
              { name: 'Refused (4xx)', tone: 'warn' },
              { name: 'Failed (5xx)', tone: 'bad' },
            ]}
            bars={hours.map(({ hour, requests }) => ({
              at: hour,
              values: [
                countBetween(requests, 0, 399),
                countBetween(requests, 400, 499),
                countBetween(requests, 500, 599),
              ],
            }))}
          />
          <Statuses call={call} hours={hours} />
        </div>
        <BarChart
          title="Attempts to deliver by hour"
          series={[
            { name: 'Succeeded', tone: 'good' },
            { name: 'Failed', tone: 'bad' },
          ]}
          bars={hours.map(({ hour, succeeded, failed }) => ({
            at: hour,
            values: [succeeded, failed],
          }))}
        />
      </div>
    </Section>
  );
}

/** How often each status was answered, in one line. */
function Statuses({ call, hours }: { readonly call: ScreenCall; readonly hours: Hours }) {
  const totals = totalsOf(hours);
  if (totals.length === 0) return <p class="hint">No partner has sent a request.</p>;
  const since = new Date(Math.min(...hours.map(({ hour }) => hour))).toISOString().slice(0, 16);
  const listOf = (status: string) =>
    Number(status) >= 400 && LOGGED_STATUSES.includes(status)
      ? call.link('requests', '', { status, since })
      : null;
  return (
    <ul class="zeros" aria-label="Answers to requests, in 24 hours">
      <li>Answers by status:</li>
      {totals.map(({ status, count }) => (
        <li>
          <MaybeLink href={listOf(String(status))}>{String(status)}</MaybeLink>{' '}
          <span>{countText(count)}</span>
        </li>
      ))}
    </ul>
  );
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
