import type { SeenWorker, SystemStatus } from '@partner-hiring/core';
import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { Figures } from '../../view/figures.js';
import { Id } from '../../view/ids.js';
import { countText, durationText, FactList, Note, Section, StateBadge, Time } from '../../view/parts.js';
import { InboxSection, inboxActions, RefusedSection } from '../inbox/section.js';

/** The database, the workers, what waits, and the inbox. */
export const systemScreen: Screen = {
  name: 'system',
  label: 'System',
  path: '/system',
  rights: ['system:read'],
  pages: {
    '/system': showSystem,
    '/system/live': async (call) => ({ kind: 'live', values: liveValues(await readStatus(call)) }),
  },
  actions: inboxActions,
};

/** More than this without a worker is a fault, because events wait. */
const LATE_MS = 60_000;

async function readStatus({ gate }: ScreenCall): Promise<SystemStatus> {
  return gate.call('system.status', {});
}

async function showSystem(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  if (!gate.isForAllPartners) {
    return {
      kind: 'page',
      title: 'System',
      body: <Note>Your rights cover some partners. This page is for all of them.</Note>,
    };
  }
  const status = await readStatus(call);
  const body = (
    <div data-live-source={call.at('/system/live')}>
      {status.deployment.advice === null ? null : <Note tone="bad">{status.deployment.advice}</Note>}
      <Verdict status={status} />
      <Section title="Waiting in all">
        <Figures figures={figures(call, status)} />
      </Section>
      <Section title="Workers">
        <WorkerTable workers={status.workers} now={status.at} />
      </Section>
      <div class="columns">
        <Section title="Database">
          <FactList facts={factsOf(status)} />
        </Section>
        <InboxSection call={call} status={status} />
      </div>
      {gate.may('inbox:read') ? <RefusedSection call={call} /> : null}
    </div>
  );
  return { kind: 'page', title: 'System', body };
}

/** Says first whether the workers run. */
function Verdict({ status }: { readonly status: SystemStatus }) {
  const { workers, deliveries } = status;
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  const dead = workers.length - alive;
  const faults = faultsOf(status, dead);
  const isLate = deliveries.oldestDueMs !== null && deliveries.oldestDueMs > LATE_MS;
  const [tone, lead] =
    alive === 0
      ? (['bad', 'No worker is alive: nothing is sent.'] as const)
      : isLate
        ? (['warn', 'The workers do not keep up: events are due and wait.'] as const)
        : faults.length > 0
          ? (['warn', `The workers keep up, but ${faults.join(', ')}.`] as const)
          : (['good', 'The workers run and keep up.'] as const);
  return (
    <section class={`card news ${tone}`} aria-label="Do the workers run?">
      <p class="lead">{lead}</p>
      <p>
        {alive === 0
          ? 'Events wait until a worker starts.'
          : `${countText(alive)} ${alive === 1 ? 'worker is' : 'workers are'} alive.`}
        {dead === 0 ? null : ` ${countText(dead)} ended without stopping: see the table below.`}
      </p>
    </section>
  );
}

/** Returns the faults that remain while the workers keep up. */
function faultsOf(
  { endpoints: { failing }, inbox: { parked } }: SystemStatus,
  dead: number,
): readonly string[] {
  return [
    ...(dead === 0 ? [] : [`${countText(dead)} ${dead === 1 ? 'worker' : 'workers'} died`]),
    ...(failing === 0
      ? []
      : [`${countText(failing)} ${failing === 1 ? 'endpoint fails' : 'endpoints fail'}`]),
    ...(parked === 0 ? [] : [`${countText(parked)} ${parked === 1 ? 'item is' : 'items are'} parked`]),
  ];
}

function liveValues({
  deliveries,
  endpoints,
  runningOperations,
  workers,
  inbox,
}: SystemStatus): Readonly<Record<string, string>> {
  return {
    due: countText(deliveries.due, deliveries.isExact),
    oldest: durationText(deliveries.oldestDueMs),
    scheduled: countText(deliveries.scheduled, deliveries.isExact),
    paused: countText(deliveries.paused, deliveries.isExact),
    dead: countText(deliveries.dead, deliveries.isExact),
    failing: countText(endpoints.failing),
    slowed: countText(endpoints.slowed),
    leased: countText(endpoints.leased),
    running: countText(runningOperations),
    alive: countText(workers.filter(({ isAlive }) => isAlive).length),
    unread: countText(inbox.unread, inbox.isExact),
    parked: countText(inbox.parked),
  };
}

function figures(call: ScreenCall, status: SystemStatus) {
  const { deliveries, endpoints } = status;
  const values = liveValues(status);
  const shown = [
    [LABELS.all.workersAlive, 'alive', null, status.workers.some(({ isAlive }) => isAlive) ? 'calm' : 'bad'],
    [LABELS.endpoint.due, 'due', call.link('deliveries', '', { waits: 'due' }), 'calm'],
    [
      'Oldest due, waiting for',
      'oldest',
      null,
      deliveries.oldestDueMs !== null && deliveries.oldestDueMs > LATE_MS ? 'warn' : 'calm',
    ],
    [LABELS.endpoint.scheduled, 'scheduled', call.link('deliveries', '', { waits: 'later' }), 'calm'],
    [
      LABELS.endpoint.held,
      'paused',
      call.link('deliveries', '', { waits: 'held' }),
      deliveries.paused > 0 ? 'warn' : 'calm',
    ],
    [
      LABELS.all.deadLetters,
      'dead',
      call.link('deliveries', '', { state: 'dead' }),
      deliveries.dead > 0 ? 'bad' : 'calm',
    ],
    [
      LABELS.all.failingEndpoints,
      'failing',
      call.link('queues', '/failing'),
      endpoints.failing > 0 ? 'warn' : 'calm',
    ],
    ['Endpoints sent to slowly', 'slowed', call.link('endpoints', ''), 'calm'],
    ['Endpoints leased by a worker', 'leased', null, 'calm'],
    [LABELS.all.runningOperations, 'running', call.link('operations', '', { state: 'running' }), 'calm'],
  ] as const;
  return shown.map(([label, live, href, tone]) => ({ label, value: values[live] ?? '', live, href, tone }));
}

function WorkerTable({ workers, now }: { readonly workers: readonly SeenWorker[]; readonly now: number }) {
  return (
    <DataTable
      caption="Workers of the last day, the last seen first. Workers that were stopped are not listed"
      empty="No worker was seen for a day, so no event is sent. Ask those who run the server to start one."
      rows={workers}
      columns={[
        { header: 'Host', cell: ({ name, pid }) => `${name}, process ${pid}` },
        {
          header: LABELS.state,
          cell: ({ isAlive }) => (
            <StateBadge state={isAlive ? 'alive' : 'died'} tone={isAlive ? 'good' : 'bad'} />
          ),
        },
        {
          header: 'Last heartbeat',
          cell: ({ lastSeenAt, sleepsUntil }) => (
            <>
              <Time at={lastSeenAt} />
              {sleepsUntil !== null && sleepsUntil > now && `, sleeps for ${durationText(sleepsUntil - now)}`}
            </>
          ),
        },
        { header: LABELS.startedAt, cell: ({ startedAt }) => <Time at={startedAt} /> },
        { header: 'Last sweep', cell: ({ lastSweepAt }) => <Time at={lastSweepAt} /> },
        { header: 'Release', cell: ({ release }) => release },
        { header: LABELS.id, cell: ({ id }) => <Id value={id} /> },
      ]}
    />
  );
}

function unknownText(unknown: SystemStatus['unknownCountries']): string {
  if (unknown.length === 0) return 'none';
  const named = unknown.map(({ country, jobs }) => `${country} (${countText(jobs)})`);
  return `${named.join(', ')}. Phone numbers for these jobs need a country code.`;
}

function factsOf({
  storage,
  release,
  isSandbox,
  lastSweepAt,
  endpoints,
  at,
  unknownCountries,
}: SystemStatus) {
  return [
    ['Database', `${storage.kind} ${storage.version}`],
    ['Schema version', String(storage.schemaVersion)],
    ['Release of this process', release],
    ['Sandbox', isSandbox ? 'on' : 'off'],
    ['Last sweep of expired rows', <Time at={lastSweepAt} />],
    [LABELS.all.endpoints, `${countText(endpoints.active)} active, ${countText(endpoints.paused)} paused`],
    ["The database's clock", <Time at={at} />],
    ['Unknown countries of open jobs', unknownText(unknownCountries)],
  ] as const;
}
