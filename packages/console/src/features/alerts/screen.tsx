import type { ListedAlert, OpenAlert } from '@partner-hiring/core';
import type { Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { cursorOf, defineList } from '../../screens/parts/define-list.js';
import { filterOf } from '../../screens/parts/list-filter.js';
import { NamedLink } from '../../screens/parts/names.js';
import { ONLY_FOR_ALL } from '../../screens/queues/waiting-applications.js';
import type { ShowSection } from '../../screens/sections.js';
import { DataTable } from '../../view/data-table.js';
import { MaybeLink, Section, StateBadge, Time } from '../../view/parts.js';

const PATH = '/alerts';

/** The screens that show the objects of alerts. The others are on the screen of the system. */
const SCREENS: Readonly<Partial<Record<OpenAlert['name'], string>>> = {
  deliveries: 'deliveries',
  'dead-letters': 'deliveries',
  endpoints: 'endpoints',
  operations: 'operations',
  'jobs-sync': 'job-sync',
  'jobs-sync-failed': 'job-sync',
  'jobs-sync-refused': 'job-sync',
};

const FILTER = filterOf('alerts.listSent', [{ name: 'partner', label: LABELS.one.partner }]);

const showAlerts = defineList<ListedAlert>({
  title: LABELS.all.alerts,
  path: PATH,
  fields: FILTER.fields,
  read: async (call, fields) => {
    if (!call.gate.isForAllPartners) return ONLY_FOR_ALL;
    const read = FILTER.read(fields);
    if ('problem' in read) return read;
    const { filter } = read;
    const cursor = cursorOf(fields);
    return {
      ...(await call.gate.call('alerts.listSent', { ...filter, cursor })),
      before: (filter.partnerId ?? cursor) === undefined ? <OpenAlerts call={call} /> : null,
      caption: 'Alerts that were sent in the last 30 days, the last one first',
      empty: 'No alert was sent in the last 30 days.',
      columns: [
        { header: 'Sent', cell: ({ sentAt }) => <Time at={sentAt} /> },
        { header: 'Alert', cell: ({ alert }) => wordsOf(alert.kind) },
        { header: 'Raised', cell: ({ alert }) => <Time at={alert.at} /> },
        {
          header: 'About',
          cell: ({ alert, partner }) =>
            'keyId' in alert ? (
              <NamedLink
                href={call.link('keys', `/${alert.keyId}`)}
                name={partner?.keyLabel ?? null}
                id={alert.keyId}
              />
            ) : (
              'the job sync'
            ),
        },
        {
          header: 'Sent to',
          cell: ({ isTold, partner }) =>
            isTold && partner !== null ? (
              <>
                {'your platform, with a message for the contact of '}
                <NamedLink
                  href={call.link('partners', `/${partner.partnerId}`)}
                  name={partner.partnerName}
                  id={partner.partnerId}
                />
              </>
            ) : (
              'your platform'
            ),
        },
      ],
    };
  },
});

async function OpenAlerts({ call }: { readonly call: ScreenCall }) {
  return (
    <Section title="Open now">
      <DataTable
        caption="What needs a person, the causes first. A critical alert should page somebody"
        empty="Nothing needs a person."
        rows={await call.gate.call('alerts.open', undefined)}
        columns={[
          {
            header: 'Severity',
            cell: ({ severity }) => (
              <StateBadge state={severity} tone={severity === 'critical' ? 'bad' : 'warn'} />
            ),
          },
          {
            header: 'Finding',
            cell: ({ name, finding }) => (
              <MaybeLink href={call.link(SCREENS[name] ?? 'system', '')}>{finding}</MaybeLink>
            ),
          },
          { header: 'Since', cell: ({ since }) => <Time at={since} /> },
        ]}
      />
    </Section>
  );
}

/** Writes a kind of alert in words, such as `Endpoint paused`. */
function wordsOf(kind: string): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;
}

/** The link of the overview. Reading the alerts would double what the page costs, so it says no count. */
export const alertsOfOverview: ShowSection<'overview'> = ({ call }) => {
  const href = call.gate.isForAllPartners ? call.link('alerts', '') : null;
  return href === null
    ? {}
    : {
        top: (
          <p>
            <a href={href}>Open alerts, and what was sent</a>
          </p>
        ),
      };
};

/** The alerts that are open, and those that were sent. */
export const alertsScreen: Screen = {
  name: 'alerts',
  label: LABELS.all.alerts,
  path: PATH,
  rights: ['system:read'],
  pages: { [PATH]: showAlerts },
};
