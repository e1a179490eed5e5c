import type { ListedDelivery } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { type Column, DataTable } from '../../view/data-table.js';
import { MaybeLink, StateBadge, Time } from '../../view/parts.js';
import { latencyText, outcomeText } from '../parts/outcome-text.js';

/** A table of deliveries. With the right to redeliver, each row has a check box for the form around it. */
export function DeliveryTable({
  call,
  caption,
  rows,
  empty,
  isChoice,
}: {
  readonly call: ScreenCall;
  readonly caption: string;
  readonly rows: readonly ListedDelivery[];
  readonly empty: string;
  readonly isChoice: boolean;
}) {
  const choice: readonly Column<ListedDelivery>[] = [
    {
      header: 'Choose',
      cell: ({ keyId, eventId, type }) => (
        <input
          type="checkbox"
          name="chosen"
          value={`${keyId} ${eventId}`}
          aria-label={`Choose ${type} ${eventId}`}
        />
      ),
    },
  ];
  return (
    <DataTable
      caption={caption}
      empty={empty}
      rows={rows}
      columns={[...(isChoice ? choice : []), ...columnsOf(call)]}
    />
  );
}

function columnsOf(call: ScreenCall): readonly Column<ListedDelivery>[] {
  return [
    {
      header: 'Event',
      cell: ({ keyId, eventId, type, eventAt }) => (
        <>
          <a href={call.at(`/deliveries/${keyId}/${eventId}`)}>{type}</a> <Time at={eventAt} />
        </>
      ),
    },
    {
      header: 'Partner key',
      cell: ({ keyId, keyLabel }) => <MaybeLink href={call.link('keys', `/${keyId}`)}>{keyLabel}</MaybeLink>,
    },
    { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    {
      header: 'Attempts',
      isNumber: true,
      cell: ({ attempts, evidence }) => String(Math.max(attempts, evidence?.attempts ?? 0)),
    },
    { header: 'Last answer', cell: lastAnswer },
    {
      header: 'Latency',
      isNumber: true,
      cell: ({ lastLatencyMs, evidence }) => latencyText(lastLatencyMs ?? evidence?.latencyMs ?? null),
    },
    { header: 'Next attempt', cell: ({ dueAt }) => <Time at={dueAt} /> },
  ];
}

function lastAnswer({ lastOutcome, evidence }: ListedDelivery): string {
  return lastOutcome === null && evidence !== null ? `HTTP ${evidence.status}` : outcomeText(lastOutcome);
}
