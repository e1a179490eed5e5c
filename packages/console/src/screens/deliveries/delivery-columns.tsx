import type { Delivery } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import type { Column } from '../../view/data-table.js';
import { MaybeLink, StateBadge, Time } from '../../view/parts.js';
import { labelOf } from '../parts/choices.js';
import { latencyText, ordinal, outcomeSentence } from '../parts/outcome-text.js';

/**
 * The columns of a list of deliveries. With `isChoice`, each row has a check box, which belongs to the form around the
 * table.
 */
export function deliveryColumns(call: ScreenCall, isChoice: boolean): readonly Column<Delivery>[] {
  return [
    ...(isChoice ? [CHOICE] : []),
    {
      header: 'Event',
      cell: ({ keyId, eventId, type, eventAt }) => (
        <>
          <a href={call.at(`/deliveries/${keyId}/${eventId}`)}>{labelOf(type)}</a> <Time at={eventAt} />
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
      cell: ({ attempts, evidence, cycle }) => {
        const count = Math.max(attempts, evidence?.attempts ?? 0);
        return cycle === 1 ? String(count) : `${count}, sent for the ${ordinal(cycle)} time`;
      },
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

function lastAnswer({ lastOutcome, evidence }: Delivery): string {
  return lastOutcome === null && evidence !== null ? `HTTP ${evidence.status}` : outcomeSentence(lastOutcome);
}

const CHOICE: Column<Delivery> = {
  header: 'Choose',
  isScreenOnly: true,
  cell: ({ keyId, eventId, type }) => (
    <input
      type="checkbox"
      name="chosen"
      value={`${keyId} ${eventId}`}
      aria-label={`Choose ${labelOf(type)} ${eventId}`}
    />
  ),
};
