import type { HealthFigures, PartnerHealth } from '@partner-hiring/core';
import type { Report } from '../../command/command.js';
import { type Columns, moment, tableReport } from '../../report/report.js';
import { duration } from '../deliveries/outcome.js';

interface HealthRow {
  readonly of: string;
  readonly period: string;
  readonly figures: HealthFigures;
  readonly lastSuccessAt: number | null;
}

const COLUMNS: Columns<HealthRow> = {
  OF: (row) => row.of,
  IN: ({ period }) => period,
  REQUESTS: ({ figures }) => figures.requests,
  ERRORS: ({ figures }) => shareText(figures.errors, figures.requests),
  CODES: ({ figures }) => countsText(figures.codes),
  FIELDS: ({ figures }) => countsText(figures.fields),
  DELIVERED: ({ figures: { deliveries } }) => deliveries.succeeded,
  FAILED: ({ figures: { deliveries } }) =>
    shareText(deliveries.failed, deliveries.succeeded + deliveries.failed),
  'LATENCY P95': ({ figures }) => duration(figures.latency.p95),
  'LAST SUCCESS': ({ lastSuccessAt }) => moment(lastSuccessAt),
};

/** Reports the health of a partner in a table, beside all others in the same environment. */
export function healthReport(health: PartnerHealth): Report {
  const periodsOf = (
    of: string,
    periods: Pick<PartnerHealth['keys'][number], 'day' | 'week'>,
    at: number | null,
  ) => [
    { of, period: '24 h', figures: periods.day, lastSuccessAt: at },
    { of, period: '7 d', figures: periods.week, lastSuccessAt: at },
  ];
  const rows = [
    ...health.keys.flatMap(({ environment, others, lastSuccessAt, ...own }) => [
      ...periodsOf(environment, own, lastSuccessAt),
      ...(others === null ? [] : periodsOf(`all others, ${environment}`, others, null)),
    ]),
  ];
  return { value: health, text: tableReport(rows, COLUMNS, 'No figures.').text };
}

function shareText(part: number, whole: number): string {
  return whole === 0 ? '0' : `${part} (${((100 * part) / whole).toFixed(1)} %)`;
}

function countsText(counts: HealthFigures['codes']): string | null {
  return counts.length === 0 ? null : counts.map(({ name, count }) => `${name} ${count}`).join(', ');
}
