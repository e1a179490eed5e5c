import type { AttemptOutcome, DeliveryDetails } from '@partner-hiring/core';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { Section, Time } from '../../view/parts.js';
import { latencyText, ordinal, outcomeSentence } from '../parts/outcome-text.js';

/** An attempt for the table. */
interface ShownAttempt {
  readonly cycle: number;
  readonly number: number;
  readonly endedAt: number;
  readonly latencyMs: number;
  readonly outcome: AttemptOutcome;
}

/** Each attempt with its time, its latency and its answer. */
export function AttemptsSection({ details }: { readonly details: DeliveryDetails }) {
  return (
    <Section title={LABELS.all.attempts}>
      <DataTable
        caption="Attempts, oldest first. The last ten and the recorded successes are kept."
        empty={
          details.delivery.state === 'delivered'
            ? 'The attempts are no longer stored.'
            : 'There was no attempt yet. The worker sends the event when its turn comes.'
        }
        rows={shownAttempts(details)}
        columns={[
          {
            header: LABELS.one.attempt,
            cell: ({ cycle, number }) =>
              cycle === 1 ? `${number} of 10` : `${number} of 10, sent for the ${ordinal(cycle)} time`,
          },
          { header: LABELS.endedAt, cell: ({ endedAt }) => <Time at={endedAt} /> },
          { header: LABELS.took, isNumber: true, cell: ({ latencyMs }) => latencyText(latencyMs) },
          { header: LABELS.answer, cell: ({ outcome }) => outcomeSentence(outcome) },
          { header: LABELS.delivery.details, cell: ({ outcome }) => detailsOf(outcome) },
        ]}
      />
    </Section>
  );
}

/** The recorded attempts, and the successes that are only recorded as evidence. */
function shownAttempts({ attempts, successes }: DeliveryDetails): readonly ShownAttempt[] {
  const recorded = new Set(attempts.map(({ cycle, number }) => `${cycle}.${number}`));
  const others = successes
    .filter(({ cycle, attempts: number }) => !recorded.has(`${cycle}.${number}`))
    .map(({ cycle, attempts: number, deliveredAt, latencyMs, status }) => ({
      cycle,
      number,
      latencyMs,
      endedAt: deliveredAt,
      outcome: { kind: 'answered', status, excerpt: '' } as const,
    }));
  return [...attempts, ...others].toSorted((first, second) => first.endedAt - second.endedAt);
}

function detailsOf(outcome: AttemptOutcome): string {
  const text = outcome.kind === 'answered' ? outcome.excerpt : outcome.message;
  return text === '' ? '–' : text;
}
