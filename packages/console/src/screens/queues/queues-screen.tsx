import { CONSOLE_FEATURES } from '../../features/features.js';
import type { Gate } from '../../gate/gate.js';
import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { countText, MaybeLink, None, Section, Time } from '../../view/parts.js';
import { listFailingRows, listPausedRows, pausedAtOf } from '../endpoints/list-endpoint-rows.js';
import { COUNTED, queueOf, toWaiting, type Waiting, type WaitingQueue } from './queue.js';
import { DEFAULT_DAYS, daysAgo, UNCHANGED } from './waiting-applications.js';
import { FAILING, PAUSED } from './waiting-endpoints.js';

const QUEUES: readonly WaitingQueue[] = [
  queueOf(UNCHANGED, {
    label: `Applications unchanged for ${DEFAULT_DAYS} days`,
    right: 'applications:read',
    href: (call) => call.at(UNCHANGED.path, { days: String(DEFAULT_DAYS) }),
    read: async (gate) => {
      const unchangedSince = daysAgo(DEFAULT_DAYS);
      const found = await gate.call('applications.list', { unchangedSince, ...COUNTED });
      return toWaiting(found, ({ changedAt }) => changedAt);
    },
  }),
  ...CONSOLE_FEATURES.flatMap(({ queues = [] }) => queues),
  {
    label: LABELS.all.deadLetters,
    right: 'deliveries:read',
    isForSome: true,
    href: (call) => call.link('deliveries', '', { state: 'dead' }),
    read: readDead,
  },
  queueOf(FAILING, {
    right: 'endpoints:read',
    isForSome: true,
    read: async (gate) => toWaiting(await listFailingRows(gate), ({ health }) => health.firstFailureAt ?? 0),
  }),
  queueOf(PAUSED, {
    right: 'endpoints:read',
    isForSome: true,
    read: async (gate) => toWaiting(await listPausedRows(gate), pausedAtOf),
  }),
];

async function readDead(gate: Gate): Promise<Waiting> {
  const { partnerIds } = gate.actor;
  const filters = partnerIds === 'all' ? [{}] : partnerIds.map((partnerId) => ({ partnerId }));
  const pages = await Promise.all(
    filters.map((filter) => gate.call('deliveries.list', { ...filter, state: 'dead', ...COUNTED })),
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
  rights: [...new Set(QUEUES.map(({ right }) => right))],
  pages: {
    '/queues': showQueues,
    ...Object.fromEntries(QUEUES.flatMap(({ pages = {} }) => Object.entries(pages))),
  },
};
