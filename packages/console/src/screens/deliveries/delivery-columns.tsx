import type { Delivery } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { Column } from '../../view/data-table.js';
import { MaybeLink, StateBadge, Time } from '../../view/parts.js';
import { pauseText } from '../endpoints/endpoint-texts.js';
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
      header: LABELS.one.event,
      cell: ({ keyId, eventId, type, eventAt }) => (
        <>
          <a href={call.at(`/deliveries/${keyId}/${eventId}`)}>{labelOf(type)}</a> <Time at={eventAt} />
        </>
      ),
    },
    {
      header: LABELS.one.partnerKey,
      cell: ({ keyId, keyLabel }) => <MaybeLink href={call.link('keys', `/${keyId}`)}>{keyLabel}</MaybeLink>,
    },
    { header: LABELS.state, cell: ({ state }) => <StateBadge state={state} /> },
    {
      header: LABELS.all.attempts,
      isNumber: true,
      cell: ({ attempts, evidence, cycle }) => {
        const count = Math.max(attempts, evidence?.attempts ?? 0);
        return cycle === 1 ? String(count) : `${count}, sent for the ${ordinal(cycle)} time`;
      },
    },
    { header: 'Last answer', cell: lastAnswer },
    {
      header: LABELS.took,
      isNumber: true,
      cell: ({ lastLatencyMs, evidence }) => latencyText(lastLatencyMs ?? evidence?.latencyMs ?? null),
    },
    {
      header: 'Undelivered since',
      cell: ({ state, pendingSince }) => (
        <Time at={state === 'pending' || state === 'dead' ? pendingSince : null} />
      ),
    },
    {
      header: LABELS.delivery.nextAttempt,
      cell: ({ keyId, state, dueAt, lastAttemptAt, pause }) =>
        state === 'dead' ? (
          <>
            given up <Time at={lastAttemptAt} />
          </>
        ) : pause === null ? (
          <Time at={dueAt} />
        ) : (
          <>
            <MaybeLink href={call.link('endpoints', `/${keyId}`)}>held</MaybeLink>
            {`: ${pauseText(pause.reason)}`}
          </>
        ),
    },
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
