import type {
  ApplicationId,
  CompanyId,
  Delivery,
  DeliveryDetails,
  Endpoint,
  EventId,
  JobId,
  KeyId,
} from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import { type PageContent, pageBelow, type ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { RowAct } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import {
  Code,
  FactList,
  type FactRow,
  MaybeLink,
  Note,
  Section,
  StateBadge,
  Time,
} from '../../view/parts.js';
import { findShownEndpoint } from '../endpoints/pause-words.js';
import { labelOf } from '../parts/choices.js';
import { readEventBody } from '../parts/event-body.js';
import { nameOf, objectFact } from '../parts/names.js';
import { AttemptsSection } from './attempts-section.js';
import { curlCommand } from './curl-command.js';

/** The delivery of the page's path. */
export function deliveryOf(call: ScreenCall): { readonly keyId: KeyId; readonly eventId: EventId } {
  return { keyId: call.param('key') as KeyId, eventId: call.param('event') as EventId };
}

/** One delivery: the event, what was sent, and each attempt. */
export async function deliveryPage(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const target = deliveryOf(call);
  const details = await mustFind(gate.call('deliveries.find', target));
  const { keyId } = target;
  const found = gate.may('keys:read') ? await gate.call('keys.find', { id: keyId }) : null;
  const endpoint = await findShownEndpoint(gate, keyId);
  const body = (
    <>
      <div class="columns">
        <Section title={LABELS.one.delivery}>
          <FactList facts={await factsOf(call, details, found?.label ?? null)} />
          <DeliveryActionsRow call={call} details={details} endpoint={endpoint} />
        </Section>
        <EventSection call={call} details={details} />
      </div>
      <AttemptsSection details={details} />
      {gate.may('candidates:read') ? null : (
        <Note>
          Answers of the receiver and the partner’s own ids are hidden: your rights do not include
          candidates:read.
        </Note>
      )}
      <RequestSection details={details} endpoint={isWhole(call, details) ? endpoint : null} />
    </>
  );
  return pageBelow(
    { label: LABELS.all.deliveries, href: call.at('/deliveries') },
    `Delivery: ${labelOf(details.event.type)}`,
    body,
  );
}

async function factsOf(
  call: ScreenCall,
  { delivery, event }: DeliveryDetails,
  keyLabel: string | null,
): Promise<readonly FactRow[]> {
  const { keyId } = delivery;
  const { data } = readEventBody(event.body);
  const idOf = <Id extends string>(name: string) =>
    typeof data[name] === 'string' ? (data[name] as Id) : null;
  const applicationId = idOf<ApplicationId>('applicationId');
  const jobId = idOf<JobId>('jobId');
  const companyId = idOf<CompanyId>('companyId');
  const { gate } = call;
  const names = {
    application: applicationId === null ? null : await nameOf.application(gate, applicationId),
    job: jobId === null ? null : await nameOf.job(gate, jobId),
    company: companyId === null ? null : await nameOf.company(gate, companyId),
  };
  return [
    [LABELS.state, <StateBadge state={delivery.state} />],
    ['Recorded', <Time at={event.at} />],
    delivery.state === 'pending'
      ? [
          LABELS.delivery.nextAttempt,
          delivery.pause === null ? <Time at={delivery.dueAt} /> : 'after the endpoint is resumed',
        ]
      : null,
    [LABELS.delivery.resent, resentText(delivery.cycle)],
    objectFact(call, LABELS.one.partnerKey, 'keys', keyId, keyLabel),
    [
      LABELS.one.endpoint,
      <MaybeLink href={call.link('endpoints', `/${keyId}`)}>Endpoint of this key</MaybeLink>,
    ],
    objectFact(call, LABELS.one.application, 'applications', applicationId, names.application),
    objectFact(call, LABELS.one.job, 'jobs', jobId, names.job),
    objectFact(call, LABELS.one.company, 'companies', companyId, names.company),
    [LABELS.delivery.type, <Code text={event.type} />],
    [LABELS.delivery.eventId, <Id value={event.id} />],
  ];
}

function resentText(cycle: number): string {
  if (cycle === 1) return 'never';
  return cycle === 2 ? 'once' : `${cycle - 1} times`;
}

interface DeliveryActionsRowProps {
  readonly call: ScreenCall;
  readonly details: DeliveryDetails;
  readonly endpoint: Endpoint | null;
}

/** The acts that the state of a delivery allows. */
export function deliveryActs(
  { gate, at }: ScreenCall,
  { keyId, eventId, state }: Delivery,
): readonly RowAct[] {
  const to = (act: string) => at(`/deliveries/${keyId}/${eventId}/${act}`);
  const resend = state === 'pending' ? 'Retry now' : state === 'delivered' ? 'Resend…' : LABELS.button.resend;
  const mayCancel = ['pending', 'dead'].includes(state) && gate.may('deliveries:cancel');
  return [
    ...(gate.may('deliveries:resend') ? [{ action: to('resend'), label: resend }] : []),
    ...(mayCancel ? [{ action: to('cancel'), label: 'Cancel the delivery…' }] : []),
  ];
}

function DeliveryActionsRow({ call, details: { delivery }, endpoint }: DeliveryActionsRowProps) {
  const isPaused = endpoint?.state.kind === 'paused';
  return (
    <>
      {isPaused ? (
        <Note tone="warn">The endpoint is paused: nothing is sent to it until it is resumed.</Note>
      ) : null}
      <div class="actions">
        {deliveryActs(call, delivery).map((act, index) => (
          <ActionButton {...act} tone={index === 0 ? 'primary' : 'secondary'} />
        ))}
      </div>
    </>
  );
}

/**
 * Whether the body is shown exactly as it is sent. Only events of applications contain the partner's own id, which may
 * be hidden.
 */
function isWhole({ gate }: ScreenCall, { event }: DeliveryDetails): boolean {
  return gate.may('candidates:read') || event.type !== 'application.status_changed';
}

function EventSection({ call, details }: { readonly call: ScreenCall; readonly details: DeliveryDetails }) {
  const { event } = details;
  return (
    <Section title="Event body">
      <section class="code" tabindex={0} aria-label="Event body">
        <pre>{readEventBody(event.body).pretty}</pre>
      </section>
      <p class="hint">
        {isWhole(call, details)
          ? 'The body as it is sent has no spaces and no line breaks.'
          : 'The body as it is sent has the partner’s own id instead of “…”.'}
      </p>
    </Section>
  );
}

function RequestSection({ details: { event }, endpoint }: Omit<DeliveryActionsRowProps, 'call'>) {
  return (
    <Section title={LABELS.one.request}>
      <FactList
        facts={[
          ['Content-Type', <code>application/json</code>],
          ['X-Partner-Timestamp', 'the time of the attempt, in Unix seconds'],
          [
            'X-Partner-Signature',
            <code>{'t=<timestamp>,v1=<HMAC-SHA-256 of the timestamp and the body>'}</code>,
          ],
        ]}
      />
      <p class="hint">The values of the last two headers differ in each attempt. They are not stored.</p>
      {endpoint === null ? null : (
        <p class="field">
          <label for="curl">Copy as curl</label>
          <textarea id="curl" class="code" readonly rows={7} spellcheck={false}>
            {curlCommand({ url: endpoint.url, body: event.body })}
          </textarea>
          <small>The signature is a placeholder, so a receiver that verifies it answers with an error.</small>
        </p>
      )}
    </Section>
  );
}
