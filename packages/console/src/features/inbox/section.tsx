import type { InboxItemId, RefusedItem, SystemStatus } from '@partner-hiring/core';
import { defineNotices } from '../../http/notices.js';
import type { RunAction, ScreenAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { change, defineAct, RefusedAct } from '../../screens/parts/define-act.js';
import { cursorOf, ListPager } from '../../screens/parts/define-list.js';
import { CandidateLink } from '../../screens/parts/names.js';
import { type Column, DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { countText, FactList, Section, StateBadge, Time } from '../../view/parts.js';

/** The sentences that follow acts on the inbox. */
export const inboxNotices = defineNotices({
  done: {
    'inbox-off': 'The inbox is off.',
    'inbox-off-before': 'The inbox was off already.',
    'inbox-on': 'The inbox is on.',
    'inbox-on-before': 'The inbox was on already.',
    'inbox-retried': (count) =>
      `${countText(count)} ${count === 1 ? 'item is' : 'items are'} handed over again.`,
  },
  refused: {
    'choose-item': 'Choose a parked item.',
    'nothing-parked': 'Nothing is parked, so there is nothing to retry.',
  },
});

const { done, refused } = inboxNotices;

const back = (call: ScreenAction) => call.at('/system');

const retry = defineAct({
  back,
  find: ({ form }) => {
    const item = form.text('item');
    if (item === null) throw new RefusedAct(refused('choose-item'));
    return item;
  },
  ask: async (item, { gate }) => {
    if (item !== 'all') return null;
    const { parked } = (await gate.call('system.status', {})).inbox;
    if (parked === 0) throw new RefusedAct(refused('nothing-parked'));
    return {
      title: parked === 1 ? 'Retry 1 parked item?' : `Retry all ${countText(parked)} parked items?`,
      text: 'Each item is handed to the hiring platform again. If it refuses an item for another day, the item is parked again.',
      facts: [['Parked items', countText(parked)]],
      confirm: parked === 1 ? 'Retry 1 item' : `Retry ${countText(parked)} items`,
    };
  },
  run: async (item, { gate }) => {
    const which = item === 'all' ? ({ all: true } as const) : { ids: [item as InboxItemId] };
    const { retried } = await gate.call('inbox.retry', which);
    return [done('inbox-retried'), retried];
  },
});

function turn(on: boolean, text: string): RunAction {
  const [to, from] = on ? (['on', 'off'] as const) : (['off', 'on'] as const);
  return defineAct({
    back,
    find: () => null,
    ask: () => ({
      title: `Turn the inbox ${to}?`,
      text,
      facts: [[LABELS.one.inbox, from]],
      confirm: `Turn ${to}`,
    }),
    run: change('inbox.turn', () => ({ on }), done(`inbox-${to}`), done(`inbox-${to}-before`)),
  });
}

/** The acts on the inbox. */
export const inboxActions: Readonly<Record<string, RunAction>> = {
  '/system/inbox/retry': retry,
  '/system/inbox/turn-on': turn(
    true,
    'Each new application is recorded for the hiring platform, in all processes.',
  ),
  '/system/inbox/turn-off': turn(
    false,
    'New applications are no longer recorded for the hiring platform, in all processes. Unread items stay. A process with the option inbox turns it on again when it starts.',
  ),
};

const CHANGES = {
  staff: 'those of staff',
  all: 'those of staff and partners, and automatic ones',
  none: 'not handed over',
} as const;

interface InboxSectionProps {
  readonly call: ScreenCall;
  readonly status: SystemStatus;
}

/** The state of the inbox, and its switch. */
export function InboxSection({ call, status: { inbox } }: InboxSectionProps) {
  const maySwitch = call.gate.may('inbox:switch');
  return (
    <Section title={LABELS.one.inbox}>
      <FactList
        facts={[
          [
            LABELS.state,
            <StateBadge state={inbox.isOn ? 'on' : 'off'} tone={inbox.isOn ? 'good' : 'calm'} />,
          ],
          ['Changes', CHANGES[inbox.changes]],
          ['Unread', <span data-live="unread">{countText(inbox.unread, inbox.isExact)}</span>],
          ['Oldest unread', <Time at={inbox.oldestUnreadAt} />],
          ['Parked', <span data-live="parked">{countText(inbox.parked)}</span>],
        ]}
      />
      <p class="hint">The inbox hands new applications and changes to the hiring platform.</p>
      {maySwitch ? (
        <ActionButton
          action={call.at(inbox.isOn ? '/system/inbox/turn-off' : '/system/inbox/turn-on')}
          label={inbox.isOn ? 'Turn it off…' : 'Turn it on…'}
        />
      ) : null}
    </Section>
  );
}

/** Lists the items that the hiring platform has refused at least once. */
export async function RefusedSection({ call }: { readonly call: ScreenCall }) {
  const { gate, query } = call;
  const { items, nextCursor } = await gate.call('inbox.list', {
    cursor: cursorOf(query),
  });
  const mayRetry = gate.may('inbox:retry') && items.some(({ parkedAt }) => parkedAt !== null);
  return (
    <Section title="Refused items" id="refused">
      <DataTable
        caption="Items that the hiring platform has refused. After a day of refusals, an item is parked"
        empty="The hiring platform has refused no item that it has not received since."
        rows={items}
        columns={refusedColumns(call, mayRetry)}
      />
      {mayRetry ? (
        <ActionButton
          action={call.at('/system/inbox/retry')}
          label="Retry all parked items…"
          fields={{ item: 'all' }}
          tone="primary"
        />
      ) : null}
      <ListPager call={call} path="/system" next={nextCursor} />
    </Section>
  );
}

function nextTry({ parkedAt, retryAt }: RefusedItem) {
  if (parkedAt !== null) {
    return (
      <>
        parked <Time at={parkedAt} />
      </>
    );
  }
  return retryAt === null ? 'with the new items' : <Time at={retryAt} />;
}

/** The columns of refused items. With `mayRetry`, each parked item has a button. */
export function refusedColumns(call: ScreenCall, mayRetry: boolean): readonly Column<RefusedItem>[] {
  return [
    {
      header: LABELS.one.candidate,
      cell: ({ applicationId }) => <CandidateLink call={call} id={applicationId} />,
    },
    { header: 'Item', cell: ({ id, kind }) => <span title={id}>{kind}</span> },
    { header: LABELS.one.partnerKey, cell: ({ keyLabel }) => keyLabel },
    { header: 'Refused since', cell: ({ firstFailureAt }) => <Time at={firstFailureAt} /> },
    { header: LABELS.all.attempts, isNumber: true, cell: ({ failures }) => countText(failures) },
    ...(call.gate.may('candidates:read')
      ? [{ header: LABELS.lastError, cell: ({ lastError }: RefusedItem) => lastError ?? '–' }]
      : []),
    { header: 'Next try', cell: nextTry },
    ...(mayRetry
      ? [
          {
            header: 'Retry',
            isScreenOnly: true,
            cell: ({ id, parkedAt }: RefusedItem) =>
              parkedAt === null ? null : (
                <ActionButton action={call.at('/system/inbox/retry')} label="Retry" fields={{ item: id }} />
              ),
          },
        ]
      : []),
  ];
}
