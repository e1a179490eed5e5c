import type { ListedAlert, OpenAlert } from '@partner-hiring/core';
import type { Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { cursorOf, defineList } from '../../screens/parts/define-list.js';
import { NamedLink } from '../../screens/parts/names.js';
import type { ShowSection } from '../../screens/sections.js';
import { DataTable } from '../../view/data-table.js';
import { MaybeLink, Section, StateBadge, Time } from '../../view/parts.js';

const PATH = '/alerts';

/** The page that shows the objects of each alert. */
const PAGES: Readonly<Record<OpenAlert['name'], readonly [screen: string, path: string]>> = {
  deployment: ['system', ''],
  worker: ['system', ''],
  'signing-secrets': ['system', ''],
  deliveries: ['deliveries', ''],
  alerts: ['system', ''],
  inbox: ['system', ''],
  'resume-downloads': ['queues', '/resumes'],
  'resume-removals': ['system', ''],
  sweeps: ['system', ''],
  'dead-letters': ['deliveries', '?state=dead'],
  endpoints: ['endpoints', ''],
  'inbox-parked': ['queues', '/parked'],
  operations: ['operations', ''],
  'jobs-sync': ['job-sync', '/held'],
  'jobs-sync-failed': ['job-sync', ''],
  'jobs-sync-refused': ['job-sync', ''],
};

function hrefOf(call: ScreenCall, name: OpenAlert['name']): string | null {
  const [screen, path] = PAGES[name];
  const href = call.link(screen, '');
  return href === null ? null : `${href}${path}`;
}

const showAlerts = defineList<ListedAlert>({
  title: LABELS.all.alerts,
  path: PATH,
  fields: [],
  read: async (call, fields) => {
    if (!call.gate.isForAllPartners) return ONLY_FOR_ALL;
    return {
      ...(await call.gate.call('alerts.listSent', { cursor: cursorOf(fields) })),
      before: cursorOf(fields) === undefined ? <OpenAlerts call={call} /> : null,
      caption: 'Alerts that were sent in the last 30 days, the last one first',
      empty: 'No alert was sent in the last 30 days.',
      columns: [
        { header: 'Sent', cell: ({ sentAt }) => <Time at={sentAt} /> },
        { header: 'Alert', cell: ({ alert }) => wordsOf(alert.kind) },
        { header: 'Raised', cell: ({ alert }) => <Time at={alert.at} /> },
        { header: 'About', cell: ({ alert, partner }) => <About call={call} alert={alert} partner={partner} /> },
        {
          header: 'Sent to',
          cell: ({ isTold, partner }) =>
            isTold ? `your platform, with a message for the contact of ${partner?.partnerName}` : 'your platform',
        },
      ],
    };
  },
});

const ONLY_FOR_ALL = {
  problem: 'Your rights cover some partners. Alerts are of the whole installation.',
  status: 403,
} as const;

function About({
  call,
  alert,
  partner,
}: Pick<ListedAlert, 'alert' | 'partner'> & { readonly call: ScreenCall }) {
  if ('operationId' in alert)
    return (
      <NamedLink
        href={call.link('operations', `/${alert.operationId}`)}
        name="a job sync"
        id={alert.operationId}
      />
    );
  return (
    <NamedLink
      href={call.link('keys', `/${alert.keyId}`)}
      name={partner?.keyLabel ?? null}
      id={alert.keyId}
    />
  );
}

async function OpenAlerts({ call }: { readonly call: ScreenCall }) {
  return (
    <Section title="Open now">
      <DataTable
        caption="What needs a person, the causes first. A critical alert should page somebody"
        empty="Nothing needs a person."
        rows={await call.gate.call('alerts.open')}
        columns={[
          {
            header: 'Severity',
            cell: ({ severity }) => (
              <StateBadge state={severity} tone={severity === 'critical' ? 'bad' : 'warn'} />
            ),
          },
          {
            header: 'Finding',
            cell: ({ name, finding }) => <MaybeLink href={hrefOf(call, name)}>{finding}</MaybeLink>,
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
  return href === null ? {} : { top: <p><a href={href}>Open alerts, and what was sent</a></p> };
};

/** The alerts that are open, and those that were sent. */
export const alertsScreen: Screen = {
  name: 'alerts',
  label: LABELS.all.alerts,
  path: PATH,
  rights: ['system:read'],
  pages: { [PATH]: showAlerts },
};
