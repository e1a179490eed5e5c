import type {
  DeliveryState,
  EventId,
  KeyId,
  OwnAttempt,
  OwnDeliveryView,
  OwnKey,
} from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import type { PageContent } from '../../http/screen.js';
import { goTo, RefusedAct } from '../../screens/parts/define-act.js';
import { eventName } from '../../screens/parts/event-name.js';
import { latencyText } from '../../screens/parts/outcome-text.js';
import { type Column, DataTable } from '../../view/data-table.js';
import { ActionButton, HiddenFields, TextField } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { FactList, MaybeLink, Note, Section, StateBadge, Time } from '../../view/parts.js';
import { definePortalAct, type PortalCall, type PortalScreen } from '../portal-call.js';
import { failureWords, refusalWords } from './endpoint-words.js';
import { chosenKey, environmentName, keyOptions } from './own-keys.js';
import { ownCursorOf, showOwnList } from './own-list.js';

/** The states of deliveries in the words of this page. */
const STATES: Readonly<Record<DeliveryState, string>> = {
  delivered: 'Delivered',
  pending: 'Not delivered yet',
  dead: 'Failed ten times',
  cancelled: 'Cancelled',
};

function isState(text: string | null): text is DeliveryState {
  return text !== null && Object.hasOwn(STATES, text);
}

async function showDeliveries(call: PortalCall): Promise<PageContent> {
  const { own, query } = call;
  const keys = await own.keys();
  const key = chosenKey(keys, query.text('key'));
  const given = query.text('state');
  const state = isState(given) ? given : undefined;
  const page = key === null ? null : await own.deliveries(key.id, { state, cursor: ownCursorOf(call) });
  return showOwnList<OwnDeliveryView>(call, {
    title: 'Events',
    path: '/deliveries',
    filters: [
      { name: 'key', label: 'Environment', options: keyOptions(keys) },
      { name: 'state', label: 'State', options: Object.entries(STATES), any: 'Any' },
    ],
    caption: `The events for your ${key === null ? '' : `${key.environment} `}endpoint, newest first`,
    empty:
      state === undefined
        ? 'There is no event yet. We record events from when your endpoint is added: when a job opens or closes, and when an application is accepted or rejected.'
        : 'No event is in this state.',
    columns: columnsOf(call),
    page: page ?? { items: [], nextCursor: null },
    before: key === null ? null : <ResendSection call={call} own={key} />,
  });
}

function columnsOf(call: PortalCall): readonly Column<OwnDeliveryView>[] {
  return [
    {
      header: 'Event',
      cell: ({ eventId, type }) => <a href={call.at(`/deliveries/${eventId}`)}>{eventName(type)}</a>,
    },
    { header: 'Occurred', cell: ({ occurredAt }) => <Time at={occurredAt} /> },
    { header: 'State', cell: ({ state }) => <DeliveryBadge state={state} /> },
    { header: 'Attempts', isNumber: true, cell: ({ attempts }) => String(attempts) },
    {
      header: 'Last failure',
      cell: ({ lastFailure }) => (lastFailure === null ? null : failureWords(lastFailure)),
    },
    { header: 'Next attempt', cell: ({ nextAttemptAt }) => <Time at={nextAttemptAt} /> },
    { header: 'Delivered', cell: ({ deliveredAt }) => <Time at={deliveredAt} /> },
  ];
}

function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  const tones = { delivered: 'good', pending: 'calm', dead: 'bad', cancelled: 'warn' } as const;
  return <StateBadge state={STATES[state].toLowerCase()} tone={tones[state]} />;
}

/** The form that sends the events of a time again. */
function ResendSection({
  call,
  own,
  problem,
  value,
}: {
  readonly call: PortalCall;
  readonly own: OwnKey;
  readonly problem?: string;
  readonly value?: string | null;
}) {
  if (!call.may('resendSince')) return null;
  return (
    <Section title="Get what you missed again">
      <form class="inline" method="post" action={call.at('/deliveries/resend-since')}>
        <HiddenFields fields={[['key', own.id]]} />
        <TextField
          name="since"
          type="datetime-local"
          label="All events since (UTC)"
          hint="Also those that you received: they keep their ids, so ignore an id that you know."
          error={problem}
          value={value ?? null}
          isRequired
        />
        <button type="submit" class="secondary">
          Send them again…
        </button>
      </form>
    </Section>
  );
}

async function showDelivery(call: PortalCall): Promise<PageContent> {
  const found = await mustFind(call.own.delivery(call.param('eventId') as EventId));
  const {
    eventId,
    type,
    occurredAt,
    state,
    nextAttemptAt,
    deliveredAt,
    lastFailure,
    keyId,
    body,
    attemptList,
  } = found;
  const key = await call.own.key(keyId);
  const content = (
    <>
      <div class="columns">
        <Section title="Event">
          <FactList
            facts={[
              ['State', <DeliveryBadge state={state} />],
              ['Occurred', <Time at={occurredAt} />],
              ...(deliveredAt === null ? [] : [['Delivered', <Time at={deliveredAt} />] as const]),
              ...(nextAttemptAt === null ? [] : [['Next attempt', <Time at={nextAttemptAt} />] as const]),
              ...(lastFailure === null ? [] : [['Last failure', failureWords(lastFailure)] as const]),
              ['Type', <code>{type}</code>],
              [
                'Endpoint',
                <MaybeLink href={call.link('endpoints', `/${keyId}`)}>
                  {key === null ? 'Your endpoint' : environmentName(key.environment)}
                </MaybeLink>,
              ],
              ['Id', <Id value={eventId} />],
            ]}
          />
          {call.may('resend') ? (
            <ActionButton
              action={call.at(`/deliveries/${eventId}/resend`)}
              label={state === 'delivered' ? 'Send it again…' : 'Send it now'}
            />
          ) : null}
        </Section>
        <Section title="Body">
          <section class="code" tabindex={0} aria-label="Body of the event">
            <pre>{prettyJson(body)}</pre>
          </section>
          <p class="hint">
            It is sent without spaces and line breaks. Verify the signature over the bytes that arrive.
          </p>
        </Section>
      </div>
      <Section title="Attempts">
        <DataTable<OwnAttempt>
          caption="Attempts, oldest first"
          empty={
            state === 'delivered'
              ? 'Your endpoint accepted the event at once, or the attempts are no longer stored.'
              : 'There was no attempt yet.'
          }
          rows={attemptList}
          columns={[
            { header: 'Attempt', cell: ({ number }) => `${number} of 10` },
            { header: 'Time', cell: ({ endedAt }) => <Time at={endedAt} /> },
            { header: 'Took', isNumber: true, cell: ({ latencyMs }) => latencyText(latencyMs) },
            {
              header: 'Result',
              cell: ({ failure }) => (failure === null ? 'accepted' : failureWords(failure)),
            },
          ]}
        />
      </Section>
    </>
  );
  return {
    kind: 'page',
    title: `Event: ${eventName(type)}`,
    crumbs: [{ label: 'Events', href: call.at('/deliveries', { key: keyId }) }],
    body: content,
  };
}

/** A body that is no JSON is shown as it is. */
function prettyJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

const resend = definePortalAct<{
  readonly keyId: KeyId;
  readonly eventId: EventId;
  readonly isDelivered: boolean;
}>({
  back: (call) => call.at(`/deliveries/${encodeURIComponent(call.param('eventId'))}`),
  find: async (call) => {
    const { keyId, eventId, state } = await mustFind(call.own.delivery(call.param('eventId') as EventId));
    return { keyId, eventId, isDelivered: state === 'delivered' };
  },
  ask: ({ eventId, isDelivered }) =>
    isDelivered
      ? {
          title: 'Send this event again?',
          text: 'Your endpoint has accepted it already. It gets the same id, so ignore it if you know the id.',
          facts: [['Event', <Id value={eventId} />]],
          confirm: 'Send again',
          isReversible: true,
        }
      : null,
  run: async ({ keyId, eventId }, call) => {
    const outcome = await call.own.resend(keyId, eventId);
    if (outcome.kind === 'refused') throw new RefusedAct('own-event-gone');
    const isPaused = (await call.own.endpoint(keyId))?.state.kind === 'paused';
    return isPaused ? 'own-event-waits' : 'own-event-sent';
  },
});

interface Window {
  readonly key: OwnKey;
  readonly since: number;
}

const resendSince = definePortalAct<Window>({
  back: (call) => call.at('/deliveries', { key: call.form.text('key') }),
  find: async (call) => {
    const key = await mustFind(call.own.key((call.form.text('key') ?? '') as KeyId));
    const since = call.form.instant('since');
    if (since === null) throw new RefusedAct('own-enter-since');
    return { key, since };
  },
  ask: async ({ key, since }, call) => {
    const endpoint = await call.own.endpoint(key.id);
    return {
      title: 'Send these events again?',
      text: 'We send every event since then again with the same id, also those that you received. That may be many: your endpoint gets them at its usual pace.',
      facts: [
        ['Environment', environmentName(key.environment)],
        ['Since', <Time at={since} />],
        ['To', endpoint === null ? null : <code>{endpoint.url}</code>],
        ...(endpoint?.state.kind === 'paused'
          ? [['The endpoint is paused', 'They wait until you resume it.'] as const]
          : []),
      ],
      confirm: 'Send again',
      isReversible: true,
    };
  },
  run: async ({ key, since }, call) => {
    const outcome = await call.own.resendSince(key.id, since);
    if (outcome.kind === 'done') return goTo(call.at('/deliveries', { key: key.id }), 'own-events-sent');
    return {
      kind: 'page',
      title: 'Nothing was sent',
      status: 409,
      crumbs: [{ label: 'Events', href: call.at('/deliveries', { key: key.id }) }],
      body: (
        <Note tone="warn">
          <span role="alert">{refusalWords(outcome.refusal)}</span>
        </Note>
      ),
    };
  },
});

/** The events for the partner's endpoints, and one event with its attempts. */
export const portalDeliveriesScreen: PortalScreen = {
  name: 'deliveries',
  label: 'Events',
  path: '/deliveries',
  rights: ['deliveries'],
  pages: {
    '/deliveries': showDeliveries,
    '/deliveries/:eventId': showDelivery,
  },
  actions: {
    '/deliveries/resend-since': resendSince,
    '/deliveries/:eventId/resend': resend,
  },
};
