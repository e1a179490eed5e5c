import type { HealthFigures, PartnerHealth, PartnerId } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { countText, MaybeLink, None, Section, StateBadge, Time } from '../../view/parts.js';
import { latencyText } from '../parts/outcome-text.js';

/** The figures of one period, beside those of all others. */
interface HealthRow {
  readonly period: string;
  readonly figures: HealthFigures;
  readonly others: HealthFigures | null;
}

/** How a partner does, in 24 hours and 7 days, beside all others. */
export async function HealthSection({ call, id }: { readonly call: ScreenCall; readonly id: PartnerId }) {
  const { gate } = call;
  if (!gate.may('requests:read')) return null;
  const partner = await gate.call('partners.find', { id, health: true });
  const keys = partner?.health?.keys ?? [];
  if (keys.length === 0) return null;
  return (
    <Section title="Health">
      {keys.map((key) => (
        <KeyHealthTable call={call} figures={key} />
      ))}
      <p class="hint">
        From counts of each hour.{' '}
        {keys.every(({ others }) => others === null)
          ? null
          : 'The second value is that of all other partners together, in the same environment.'}
      </p>
    </Section>
  );
}

function KeyHealthTable({
  call,
  figures: { keyId, environment, lastSuccessAt, day, week, others },
}: {
  readonly call: ScreenCall;
  readonly figures: PartnerHealth['keys'][number];
}) {
  const rows: readonly HealthRow[] = [
    { period: '24 hours', figures: day, others: others?.day ?? null },
    { period: '7 days', figures: week, others: others?.week ?? null },
  ];
  return (
    <>
      <DataTable
        caption={`Requests and deliveries in ${environment}`}
        empty=""
        rows={rows}
        columns={[
          { header: 'In the last', cell: ({ period }) => period },
          { header: LABELS.all.requests, isNumber: true, cell: ({ figures }) => countText(figures.requests) },
          {
            header: 'Errors',
            isNumber: true,
            cell: (row) => <Compared {...row} of={({ errors, requests }) => rateOf(errors, requests)} />,
          },
          { header: 'Most frequent codes', cell: ({ figures }) => countsText(figures.codes) },
          { header: 'Most frequent fields', cell: ({ figures }) => countsText(figures.fields) },
          {
            header: LABELS.all.deliveries,
            isNumber: true,
            cell: ({ figures: { deliveries } }) => countText(deliveries.succeeded + deliveries.failed),
          },
          {
            header: LABELS.endpoint.failedAttempts,
            isNumber: true,
            cell: (row) => (
              <Compared
                {...row}
                of={({ deliveries: { failed, succeeded } }) => rateOf(failed, failed + succeeded)}
              />
            ),
          },
          {
            header: 'Latency (95 %)',
            isNumber: true,
            cell: (row) => <Compared {...row} of={({ latency }) => latency.p95} isLatency />,
          },
        ]}
      />
      <p>
        Last delivery that succeeded: <Time at={lastSuccessAt} />.{' '}
        <MaybeLink href={call.link('requests', '', { key: keyId, errors: 'yes' })}>
          Refused requests
        </MaybeLink>
      </p>
    </>
  );
}

/** A rate that is twice that of all others, and at least this, is marked. */
const NOTABLE_RATE = 0.02;

interface ComparedProps extends HealthRow {
  readonly of: (figures: HealthFigures) => number | null;
  readonly isLatency?: boolean;
}

/** A value, and that of all others. A rate that is much worse than theirs is marked. */
function Compared({ figures, others, of, isLatency = false }: ComparedProps) {
  const textOf = isLatency ? latencyText : rateText;
  const own = of(figures);
  const theirs = others === null ? null : of(others);
  if (own === null) return <None />;
  const isWorse = !isLatency && own >= NOTABLE_RATE && theirs !== null && own >= 2 * theirs;
  return (
    <>
      {isWorse ? <StateBadge state={textOf(own)} tone="warn" /> : textOf(own)}
      {theirs === null ? null : <small>{` others: ${textOf(theirs)}`}</small>}
    </>
  );
}

function rateOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function rateText(rate: number | null): string {
  return rate === null ? '–' : `${(100 * rate).toFixed(1)} %`;
}

function countsText(counts: HealthFigures['codes']) {
  return counts.length === 0 ? (
    <None />
  ) : (
    counts.map(({ name, count }) => `${name} (${countText(count)})`).join(', ')
  );
}
