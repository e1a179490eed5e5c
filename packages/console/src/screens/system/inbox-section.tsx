import type { ParkedItem, SystemStatus } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { countText, FactList, MaybeLink, Section, StateBadge, Time } from '../../view/parts.js';
import { cursorOf, ListPager } from '../parts/define-list.js';

/** The state of the inbox, and its switch. */
export function InboxSection({
  call,
  status: { inbox },
}: {
  readonly call: ScreenCall;
  readonly status: SystemStatus;
}) {
  const maySwitch = call.gate.may('inbox:switch');
  return (
    <Section title="Inbox">
      <FactList
        facts={[
          ['State', <StateBadge state={inbox.isOn ? 'on' : 'off'} tone={inbox.isOn ? 'good' : 'calm'} />],
          ['Unread', <span data-live="unread">{countText(inbox.unread, inbox.isExact)}</span>],
          ['Oldest unread', <Time at={inbox.oldestUnreadAt} />],
          ['Parked', <span data-live="parked">{countText(inbox.parked)}</span>],
        ]}
      />
      <p class="hint">The inbox hands new applications to the hiring platform.</p>
      {maySwitch ? (
        <ActionButton
          action={call.at(inbox.isOn ? '/system/inbox/turn-off' : '/system/inbox/turn-on')}
          label={inbox.isOn ? 'Turn it off…' : 'Turn it on…'}
          tone="secondary"
        />
      ) : null}
    </Section>
  );
}

/** What the hiring platform refused for a day. */
export async function ParkedSection({ call }: { readonly call: ScreenCall }) {
  const { gate, query } = call;
  const { items, nextCursor } = await gate.call('inbox.listParked', {
    cursor: cursorOf(query),
  });
  const mayRetry = gate.may('inbox:retry') && items.length > 0;
  return (
    <Section title="Parked items">
      <ParkedTable call={call} items={items} mayRetry={mayRetry} />
      {mayRetry ? (
        <ActionButton
          action={call.at('/system/inbox/retry')}
          label="Retry all parked items…"
          fields={{ item: 'all' }}
        />
      ) : null}
      <ListPager call={call} path="/system" next={nextCursor} />
    </Section>
  );
}

function ParkedTable({
  call,
  items,
  mayRetry,
}: {
  readonly call: ScreenCall;
  readonly items: readonly ParkedItem[];
  readonly mayRetry: boolean;
}) {
  return (
    <DataTable
      caption="Applications that the hiring platform refused for a day"
      empty="Nothing is parked: the hiring platform took every application, or is still being asked."
      rows={items}
      columns={[
        {
          header: 'Application',
          cell: ({ applicationId }) => (
            <MaybeLink href={call.link('applications', `/${applicationId}`)}>{applicationId}</MaybeLink>
          ),
        },
        { header: 'Partner key', cell: ({ keyLabel }) => keyLabel },
        { header: 'Parked', cell: ({ parkedAt }) => <Time at={parkedAt} /> },
        { header: 'Failures', isNumber: true, cell: ({ failures }) => countText(failures) },
        ...(call.gate.may('candidates:read')
          ? [{ header: 'Last error', cell: ({ lastError }: ParkedItem) => lastError ?? '–' }]
          : []),
        {
          header: 'Retry',
          cell: ({ id }) =>
            mayRetry ? (
              <ActionButton
                action={call.at('/system/inbox/retry')}
                label="Retry"
                fields={{ item: id }}
                tone="secondary"
              />
            ) : (
              '–'
            ),
        },
      ]}
    />
  );
}
