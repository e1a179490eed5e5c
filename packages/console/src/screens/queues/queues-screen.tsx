import type { Page, RefusedItem } from '@partner-hiring/core';
import { PARKED_TEXTS, refusedColumns } from '../../features/inbox/section.js';
import type { Gate } from '../../gate/gate.js';
import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { ConsoleRight } from '../../rights.js';
import { DataTable } from '../../view/data-table.js';
import { countText, MaybeLink, None, Section, Time } from '../../view/parts.js';
import { listFailingRows, listPausedRows, pausedAtOf } from '../endpoints/list-endpoint-rows.js';
import { cursorOf, defineList, type ListDeclaration } from '../parts/define-list.js';
import { DEFAULT_DAYS, daysAgo, FAILED_RESUMES, ONLY_FOR_ALL, UNCHANGED } from './waiting-applications.js';
import { FAILING, PAUSED } from './waiting-endpoints.js';

/** Items of the inbox that the hiring platform refused for a day. */
const PARKED: ListDeclaration<RefusedItem> = {
  title: 'Parked inbox items',
  path: '/queues/parked',
  fields: [],
  read: async (call, fields) => {
    const { gate } = call;
    if (!gate.isForAllPartners) return ONLY_FOR_ALL;
    return {
      ...(await gate.call('inbox.list', { state: 'parked', cursor: cursorOf(fields) })),
      ...PARKED_TEXTS,
      columns: refusedColumns(call, gate.may('inbox:retry')),
    };
  },
};

/** Counting stops here. */
const COUNTED = 100;

/** What waits in a queue. `since` is null if the queue does not begin with the longest wait. */
interface Waiting {
  readonly count: number;
  readonly isExact: boolean;
  readonly since: number | null;
}

/** A queue of the overview, with the page that lists it. */
interface Queue {
  readonly label: string;
  readonly right: ConsoleRight;
  /** Whether an actor for some partners sees it too. */
  readonly isForSome: boolean;
  href(call: ScreenCall): string | null;
  read(gate: Gate): Promise<Waiting>;
}

const page = { limit: COUNTED } as const;

const QUEUES: readonly Queue[] = [
  {
    label: `Applications unchanged for ${DEFAULT_DAYS} days`,
    right: 'applications:read',
    isForSome: false,
    href: (call) => call.at(UNCHANGED.path, { days: String(DEFAULT_DAYS) }),
    read: async (gate) => {
      const found = await gate.call('applications.list', { unchangedSince: daysAgo(DEFAULT_DAYS), ...page });
      return waitingOf(found, ({ changedAt }) => changedAt);
    },
  },
  {
    label: 'Résumés that failed',
    right: 'applications:read',
    isForSome: false,
    href: (call) => call.at(FAILED_RESUMES.path),
    read: async (gate) =>
      waitingOf(await gate.call('applications.list', { onlyFailedResumes: true, ...page })),
  },
  {
    label: 'Parked inbox items',
    right: 'inbox:read',
    isForSome: false,
    href: (call) => call.at(PARKED.path),
    read: async (gate) => waitingOf(await gate.call('inbox.list', { state: 'parked', ...page })),
  },
  {
    label: LABELS.all.deadLetters,
    right: 'deliveries:read',
    isForSome: true,
    href: (call) => call.link('deliveries', '', { state: 'dead' }),
    read: readDead,
  },
  {
    label: LABELS.all.failingEndpoints,
    right: 'endpoints:read',
    isForSome: true,
    href: (call) => call.at(FAILING.path),
    read: async (gate) => waitingOf(await listFailingRows(gate), ({ health }) => health.firstFailureAt ?? 0),
  },
  {
    label: LABELS.all.pausedEndpoints,
    right: 'endpoints:read',
    isForSome: true,
    href: (call) => call.at(PAUSED.path),
    read: async (gate) => waitingOf(await listPausedRows(gate), pausedAtOf),
  },
];

/** The first row of a list that begins with the longest wait says since when. */
function waitingOf<Row>({ items, nextCursor }: Page<Row>, sinceOf?: (row: Row) => number): Waiting {
  const [first] = items;
  const since = first === undefined || sinceOf === undefined ? null : sinceOf(first);
  return { count: items.length, isExact: nextCursor === null, since };
}

async function readDead(gate: Gate): Promise<Waiting> {
  const { partnerIds } = gate.actor;
  const filters = partnerIds === 'all' ? [{}] : partnerIds.map((partnerId) => ({ partnerId }));
  const pages = await Promise.all(
    filters.map((filter) => gate.call('deliveries.list', { ...filter, state: 'dead', ...page })),
  );
  return {
    count: pages.reduce((total, { items }) => total + items.length, 0),
    isExact: pages.every(({ nextCursor }) => nextCursor === null),
    since: null,
  };
}

/** Shows how much waits in each queue that the actor may see. */
async function showQueues(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const seen = QUEUES.filter(
    ({ right, isForSome }) => gate.may(right) && (isForSome || gate.isForAllPartners),
  );
  const rows = await Promise.all(seen.map(async (queue) => ({ ...queue, waiting: await queue.read(gate) })));
  const body = (
    <Section
      title={gate.isForAllPartners ? 'What waits, over all partners' : 'What waits, for your partners'}
    >
      <DataTable
        caption="Queues. Each list can have a shorter or longer time. Its address has the filter, so you can save and send it"
        empty="Your rights include none of the queues."
        rows={rows}
        columns={[
          {
            header: 'Queue',
            cell: ({ label, href }) => <MaybeLink href={href(call)}>{label}</MaybeLink>,
          },
          {
            header: 'Waiting',
            isNumber: true,
            cell: ({ waiting: { count, isExact } }) => countText(count, isExact),
          },
          {
            header: 'Longest since',
            cell: ({ waiting: { since } }) => (since === null ? <None /> : <Time at={since} />),
          },
        ]}
      />
    </Section>
  );
  return { kind: 'page', title: 'Queues', body };
}

/** What waits for somebody: a list each. */
export const queuesScreen: Screen = {
  name: 'queues',
  label: 'Queues',
  path: '/queues',
  rights: ['applications:read', 'inbox:read', 'deliveries:read', 'endpoints:read'],
  pages: {
    '/queues': showQueues,
    [UNCHANGED.path]: defineList(UNCHANGED),
    [FAILED_RESUMES.path]: defineList(FAILED_RESUMES),
    [PARKED.path]: defineList(PARKED),
    [FAILING.path]: defineList(FAILING),
    [PAUSED.path]: defineList(PAUSED),
  },
};
