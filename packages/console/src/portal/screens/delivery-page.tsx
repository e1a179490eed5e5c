import {
  type EventId,
  failureWords,
  type PortalAttempt,
  type PortalDeliveryDetails,
} from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import { type PageContent, pageBelow } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { labelOf } from '../../screens/parts/choices.js';
import { readEventBody } from '../../screens/parts/event-body.js';
import { latencyText } from '../../screens/parts/outcome-text.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { Code, durationText, FactList, type FactRow, MaybeLink, Section, Time } from '../../view/parts.js';
import type { PortalCall } from '../portal-call.js';
import {
  DeliveryBadge,
  type DeliveryStandingWord,
  deliveryStandingOf,
  FailureAt,
  isAboutToBeSent,
  NextAttempt,
} from './delivery-words.js';
import { refusalWords } from './endpoint-words.js';
import { environmentName } from './own-keys.js';

/** One event: its state, its body and its attempts. */
export async function showOwnDelivery(call: PortalCall): Promise<PageContent> {
  const found = await mustFind(call.own.delivery(call.param('eventId') as EventId));
  const { keyId, type, body, attemptList } = found;
  const standing = await deliveryStandingOf(call, keyId);
  const content = (
    <>
      <div class="columns">
        <Section title={LABELS.one.event}>
          <FactList facts={await factsOf(call, found, standing)} />
          <ResendButton call={call} shown={found} standing={standing} />
        </Section>
        <Section title="Body">
          <section class="code" tabindex={0} aria-label="Body of the event">
            <pre>{readEventBody(body).pretty}</pre>
          </section>
          <p class="hint">
            It is sent without spaces and line breaks. Verify the signature over the bytes that arrive.
          </p>
        </Section>
      </div>
      <Section title={LABELS.all.attempts}>
        {attemptList.length === 0 ? (
          <p class="empty">
            {found.state === 'delivered' ? 'The attempts are no longer stored.' : 'There was no attempt yet.'}
          </p>
        ) : (
          cyclesOf(attemptList).map((attempts) => <Attempts attempts={attempts} />)
        )}
      </Section>
    </>
  );
  const subject = subjectOf(body);
  return pageBelow(
    { label: LABELS.all.events, href: call.at('/deliveries', { key: keyId }) },
    subject === null ? `Event: ${labelOf(type)}` : `${labelOf(type)}: ${subject}`,
    content,
  );
}

async function factsOf(
  call: PortalCall,
  found: PortalDeliveryDetails,
  standing: DeliveryStandingWord,
): Promise<readonly FactRow[]> {
  const { eventId, type, occurredAt, state, nextAttemptAt, deliveredAt, lastFailed, keyId } = found;
  const key = await call.own.key(keyId);
  const waited = await waitOf(call, found);
  return [
    [LABELS.state, <DeliveryBadge shown={found} />],
    [LABELS.delivery.occurredAt, <Time at={occurredAt} isExact />],
    deliveredAt === null ? null : [LABELS.delivery.deliveredAt, <Time at={deliveredAt} isExact />],
    waited === null ? null : ['Waited', waited],
    nextAttemptAt === null
      ? null
      : [
          state === 'pending' && deliveredAt !== null ? 'Will be resent' : LABELS.delivery.nextAttempt,
          <NextAttempt shown={found} standing={standing} />,
        ],
    lastFailed === null ? null : [LABELS.delivery.lastFailure, <FailureAt {...lastFailed} isExact />],
    [LABELS.delivery.type, <Code text={type} />],
    [
      LABELS.one.endpoint,
      <MaybeLink href={call.link('endpoints', `/${keyId}`)}>
        {key === null ? 'Your endpoint' : environmentName(key.environment)}
      </MaybeLink>,
    ],
    [LABELS.id, <Id value={eventId} />],
  ];
}

/** Much longer than a worker needs. */
const LONG_WAIT_MS = 60_000;

/** Says why an event that was accepted at its first attempt was late. Null if it was not. */
async function waitOf(
  call: PortalCall,
  { keyId, occurredAt, attemptList }: PortalDeliveryDetails,
): Promise<string | null> {
  const [first] = attemptList;
  if (first === undefined || first.number > 1 || first.cycle > 1) return null;
  const waitedMs = first.endedAt - occurredAt;
  if (waitedMs < LONG_WAIT_MS) return null;
  const resumedAt = call.may('endpoint') ? ((await call.own.endpoint(keyId))?.resumedAt ?? null) : null;
  const wasPaused = resumedAt !== null && occurredAt < resumedAt && resumedAt <= first.endedAt;
  const wait = durationText(waitedMs);
  return wasPaused ? `${wait}: it waited while the endpoint was paused` : `${wait} until its first attempt`;
}

interface ResendButtonProps {
  readonly call: PortalCall;
  readonly shown: PortalDeliveryDetails;
  readonly standing: DeliveryStandingWord;
}

/** Nothing while the event is about to be sent, so that it is not sent twice. */
function ResendButton({ call, shown, standing }: ResendButtonProps) {
  if (!call.may('resend') || isAboutToBeSent(shown, standing)) return null;
  if (shown.state === 'cancelled')
    return <p class="hint">{refusalWords({ kind: 'cancelled_by_operator' })}</p>;
  const isDelivered = shown.state === 'delivered';
  return (
    <ActionButton
      action={call.at(`/deliveries/${shown.eventId}/resend`)}
      label={isDelivered ? 'Resend it…' : 'Send it now'}
      tone={isDelivered ? 'secondary' : 'primary'}
    />
  );
}

function cyclesOf(attempts: readonly PortalAttempt[]): readonly (readonly PortalAttempt[])[] {
  const cycles = [...new Set(attempts.map(({ cycle }) => cycle))];
  return cycles.map((cycle) => attempts.filter((attempt) => attempt.cycle === cycle));
}

/** The attempts of one sending. */
function Attempts({ attempts }: { readonly attempts: readonly PortalAttempt[] }) {
  const isAgain = attempts.some(({ cycle }) => cycle > 1);
  return (
    <DataTable<PortalAttempt>
      caption={isAgain ? LABELS.delivery.resent : 'First sent'}
      empty=""
      rows={attempts}
      columns={[
        { header: LABELS.one.attempt, cell: ({ number }) => `${number} of 10` },
        { header: LABELS.time, cell: ({ endedAt }) => <Time at={endedAt} isExact /> },
        { header: LABELS.took, isNumber: true, cell: ({ latencyMs }) => latencyText(latencyMs) },
        {
          header: 'Result',
          cell: ({ failure }) => (failure === null ? 'accepted' : failureWords(failure)),
        },
      ]}
    />
  );
}

const SUBJECTS = ['sourceApplicationId', 'applicationId', 'title', 'jobId'] as const;

/** Names the object of an event by an id of the application, or by the title or the id of the job. Null without them. */
function subjectOf(body: string): string | null {
  const { data } = readEventBody(body);
  for (const field of SUBJECTS) {
    const value = data[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
