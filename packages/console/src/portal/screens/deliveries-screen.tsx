import type { EventId, KeyId, OwnKey, OwnRefusal, PortalDelivery } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import { type PageContent, pageBelow } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { choiceIn, labelOf } from '../../screens/parts/choices.js';
import { goTo, RefusedAct } from '../../screens/parts/define-act.js';
import { cursorOf } from '../../screens/parts/define-list.js';
import type { Column } from '../../view/data-table.js';
import { HiddenFields, SubmitButton, TextField } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { Alert, Code, countText, Section, Time } from '../../view/parts.js';
import {
  definePortalAct,
  definePortalList,
  type PortalAction,
  type PortalCall,
  type PortalScreen,
} from '../portal-call.js';
import { showOwnDelivery } from './delivery-page.js';
import {
  DeliveryBadge,
  type DeliveryStandingWord,
  deliveryStandingOf,
  FailureAt,
  NextAttempt,
  STATES,
} from './delivery-words.js';
import { refusalWords } from './endpoint-words.js';
import { chosenKey, environmentName, KEY_FIELD, NO_OWN_ROWS } from './own-keys.js';

/** The choices of the filter. */
const CHOICES = {
  ...STATES,
  mended: 'Delivered after a failure, or resent',
} as const satisfies Readonly<Record<string, string>>;

const showDeliveries = definePortalList<PortalDelivery>({
  title: LABELS.all.events,
  path: '/deliveries',
  fields: [
    KEY_FIELD,
    { name: 'state', label: LABELS.state, kind: 'choice', options: Object.entries(CHOICES) },
  ],
  read: async (call, fields) => {
    const key = chosenKey(await call.own.keys(), fields.text('key'));
    const state = choiceIn(Object.keys(CHOICES) as (keyof typeof CHOICES)[], fields.text('state'));
    const page = key && (await call.own.deliveries(key.id, { state, cursor: cursorOf(fields) }));
    return {
      ...(page ?? NO_OWN_ROWS),
      caption: `The events for your ${key === null ? '' : `${key.environment} `}endpoint, newest first`,
      empty:
        state === undefined
          ? 'There is no event yet. We record events from when your endpoint is added: when a job opens or closes, and when an application is accepted or rejected.'
          : 'No event is in this state.',
      columns: columnsOf(call, await deliveryStandingOf(call, key?.id ?? null)),
      before: key === null ? null : <ResendSection call={call} own={key} />,
    };
  },
});

function columnsOf(call: PortalCall, standing: DeliveryStandingWord): readonly Column<PortalDelivery>[] {
  return [
    {
      header: LABELS.one.event,
      cell: ({ eventId, type }) => <a href={call.at(`/deliveries/${eventId}`)}>{labelOf(type)}</a>,
    },
    { header: LABELS.delivery.occurredAt, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
    { header: LABELS.state, cell: (shown) => <DeliveryBadge shown={shown} /> },
    {
      header: LABELS.all.attempts,
      cell: ({ attempts, cycle }) => (cycle === 1 ? String(attempts) : `${attempts} since it was resent`),
    },
    {
      header: LABELS.delivery.lastFailure,
      cell: ({ lastFailed }) => (lastFailed === null ? null : <FailureAt {...lastFailed} />),
    },
    {
      header: LABELS.delivery.nextAttempt,
      cell: (shown) =>
        shown.nextAttemptAt === null ? null : <NextAttempt shown={shown} standing={standing} />,
    },
    { header: LABELS.delivery.deliveredAt, cell: ({ deliveredAt }) => <Time at={deliveredAt} /> },
  ];
}

/** The form that resends the events of a time. */
function ResendSection({ call, own }: { readonly call: PortalCall; readonly own: OwnKey }) {
  if (!call.may('resendSince')) return null;
  return (
    <Section title={`Send past ${own.environment} events again`}>
      <form class="inline" method="post" action={call.at('/deliveries/resend-since')}>
        <HiddenFields fields={[['key', own.id]]} />
        <TextField
          name="since"
          type="datetime-local"
          label="All events since (UTC)"
          hint="Also those that you received: they keep their ids, so ignore an id that you know."
          isRequired
        />
        <SubmitButton label="Resend them…" />
      </form>
    </Section>
  );
}

const resend = definePortalAct<{
  readonly keyId: KeyId;
  readonly eventId: EventId;
  readonly isDelivered: boolean;
}>({
  find: async (call) => {
    const { keyId, eventId, state } = await mustFind(call.own.delivery(call.param('eventId') as EventId));
    return { keyId, eventId, isDelivered: state === 'delivered' };
  },
  ask: ({ eventId, isDelivered }) =>
    isDelivered
      ? {
          title: 'Resend this event?',
          text: 'Your endpoint has accepted it already. It gets the same id, so ignore it if you know the id.',
          facts: [[LABELS.one.event, <Id value={eventId} />]],
          confirm: LABELS.button.resend,
        }
      : null,
  run: async ({ keyId, eventId }, call) => {
    const outcome = await call.own.resend(keyId, eventId);
    if (outcome.kind === 'refused') return nothingSent(call, keyId, outcome.refusal);
    const { isPaused, isSlowed } = await deliveryStandingOf(call, keyId);
    return isPaused ? 'own-event-waits' : isSlowed ? 'own-event-in-turn' : 'own-event-sent';
  },
});

const resendSince = definePortalAct<{ readonly key: OwnKey; readonly since: number }>({
  back: (call) => call.at('/deliveries', { key: call.form.text('key') }),
  find: async (call) => {
    const key = await mustFind(call.own.key((call.form.text('key') ?? '') as KeyId));
    const since = call.form.instant('since');
    if (since === null) throw new RefusedAct('own-enter-since');
    return { key, since };
  },
  ask: async ({ key, since }, call) => {
    const endpoint = call.may('endpoint') ? await call.own.endpoint(key.id) : null;
    const events = await call.own.countSince(key.id, since);
    return {
      title: 'Resend these events?',
      text: 'We resend every event since then with the same id, also those that you received, but not those that we cancelled. Your endpoint gets them at its usual pace.',
      facts: [
        [LABELS.environment, environmentName(key.environment)],
        ['Since', <Time at={since} isExact />],
        [LABELS.all.events, events === null ? null : countText(events.count, events.isExact)],
        ['To', endpoint === null ? null : <Code text={endpoint.url} />],
        ...(endpoint?.state === 'paused'
          ? [['The endpoint is paused', 'They wait until sending resumes.'] as const]
          : []),
      ],
      confirm: LABELS.button.resend,
    };
  },
  run: async ({ key, since }, call) => {
    const outcome = await call.own.resendSince(key.id, since);
    if (outcome.kind === 'done') return goTo(call.at('/deliveries', { key: key.id }), 'own-events-sent');
    return nothingSent(call, key.id, outcome.refusal);
  },
});

function nothingSent(call: PortalAction, keyId: KeyId, refusal: OwnRefusal): PageContent {
  const above = { label: LABELS.all.events, href: call.at('/deliveries', { key: keyId }) };
  const body = <Alert>{refusalWords(refusal)}</Alert>;
  return { ...pageBelow(above, 'Nothing was sent', body), status: 409 };
}

/** The events for the partner's endpoints, and one event with its attempts. */
export const portalDeliveriesScreen: PortalScreen = {
  name: 'deliveries',
  label: LABELS.all.events,
  path: '/deliveries',
  rights: ['deliveries'],
  pages: {
    '/deliveries': showDeliveries,
    '/deliveries/:eventId': showOwnDelivery,
  },
  actions: {
    '/deliveries/resend-since': resendSince,
    '/deliveries/:eventId/resend': resend,
  },
};
