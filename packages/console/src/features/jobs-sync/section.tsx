import { highPayText, type LastJobSync, type Operation } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { Gate } from '../../gate/gate.js';
import type { ScreenCall } from '../../http/screen.js';
import { NamedLink } from '../../screens/parts/names.js';
import type { Sections, ShowSection } from '../../screens/sections.js';
import { Figures } from '../../view/figures.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { countText, durationText, MaybeLink, Time } from '../../view/parts.js';
import {
  countLabel,
  heldRun,
  missingRule,
  SHOWN_COUNTS,
  SYNC_PATH,
  summaryText,
  syncTroubles,
  verdictOf,
} from './texts.js';

/** The faults of the sync, for the overview. */
export const syncOfOverview: ShowSection<'overview'> = async ({ call }) => {
  const last = await readSync(call.gate);
  const troubles = syncTroubles(last);
  if (last?.isHeld) return { troubles, top: <HeldSyncAlert call={call} last={last} /> };
  return { troubles, top: troubles.length > 0 ? <SyncCard call={call} /> : null };
};

/** The sync above the jobs. */
export const syncOfJobs: ShowSection<'jobs'> = (page) => ({ top: <SyncCard {...page} /> });

/** The source that keeps a job in step, and the last run that changed it. */
export const sourceOfJob: ShowSection<'job'> = async ({ call, job: { syncedIn } }) => {
  if (syncedIn === null) return {};
  const maySee = call.gate.isForAllPartners && call.gate.may('operations:read');
  // The run may have been deleted.
  const run = maySee ? await call.gate.call('operations.find', { id: syncedIn }) : null;
  const href = run === null ? null : call.link('operations', `/${run.id}`);
  return {
    facts: [
      ['Kept in step', <MaybeLink href={call.link('job-sync', '')}>by the job source</MaybeLink>],
      [
        'Last run that changed it',
        run === null ? (
          <Id value={syncedIn} />
        ) : (
          <>
            <NamedLink href={href} name={null} id={syncedIn} /> <Time at={run.createdAt} />
          </>
        ),
      ],
    ],
  };
};

/** Reads the state of the sync without its refused rows. Null if the actor may not see it. */
async function readSync(gate: Gate): Promise<LastJobSync | null> {
  if (!gate.isForAllPartners || !gate.may('jobs:read')) return null;
  return gate.call('jobs.syncs.last', { refusedLimit: 0 });
}

/** The last run on the screen of the jobs. Shows nothing on a platform without a sync. */
async function SyncCard({ call }: Sections['jobs']) {
  const last = await readSync(call.gate);
  if (last === null || (last.operation === null && last.dueAt === null)) return null;
  return (
    <SyncVerdict call={call} last={last}>
      {last.operation === null ? null : <RunLine operation={last.operation} />}
      <p>
        <a href={call.link('job-sync', '') ?? undefined}>Open the job sync</a>
      </p>
    </SyncVerdict>
  );
}

function RunLine({ operation: { sync, createdAt, finishedAt } }: { readonly operation: Operation }) {
  return (
    <p>
      {finishedAt === null ? 'Started ' : 'Ended '}
      <Time at={finishedAt ?? createdAt} />
      {finishedAt === null ? '' : `, took ${durationText(finishedAt - createdAt)}`}
      {sync === null ? '.' : `: ${summaryText(sync)}.`}
    </p>
  );
}

/** Says that missing jobs were not closed, until a run closes them or finds them again. */
function HeldSyncAlert({ call, last }: { readonly call: ScreenCall; readonly last: LastJobSync }) {
  const counts = heldRun(last)?.sync ?? null;
  const missing =
    counts === null
      ? 'open jobs are missing in their source.'
      : `${countText(counts.missing)} of ${countText(counts.open)} open jobs are missing in their source.`;
  return (
    <section class="card news warn" role="alert">
      <p class="lead">{`The job sync is held: ${missing}`}</p>
      <p>
        These jobs stay open. Repair the source, or let the next run close them once.{' '}
        <a href={call.link('job-sync', '') ?? undefined}>Open the job sync</a>
      </p>
    </section>
  );
}

interface SyncVerdictProps {
  readonly call: ScreenCall;
  readonly last: LastJobSync;
  readonly children?: Child;
}

/** Says what the last run did, with the buttons that the actor may press. */
export function SyncVerdict({ call, last, children }: SyncVerdictProps) {
  const { tone, lead, detail } = verdictOf(last);
  const pay = highPayText(last.operation?.sync ?? null);
  return (
    <section
      class={`card news ${tone === 'good' && pay !== '' ? 'warn' : tone}`}
      aria-label="Are the jobs in step with their source?"
    >
      <p class="lead">{lead}</p>
      {detail === '' ? null : <p>{detail}</p>}
      {pay === '' ? null : <p>{pay}</p>}
      {children}
      {last.heldJobs === 0 ? null : (
        <p>
          <a href={call.at(`${SYNC_PATH}/held`)}>Show the missing jobs</a>
        </p>
      )}
      <SyncButtons call={call} last={last} />
    </section>
  );
}

function SyncButtons({ call, last }: { readonly call: ScreenCall; readonly last: LastJobSync }) {
  if (!call.gate.isForAllPartners || !call.gate.may('jobs:sync')) return null;
  const { operation, dueAt, applyUpTo } = last;
  const mayRun = dueAt !== null && operation?.state !== 'running';
  const held = applyUpTo === null ? heldRun(last) : null;
  if (!mayRun && held === null) return null;
  return (
    <div class="actions">
      {mayRun ? <ActionButton action={call.at(`${SYNC_PATH}/run`)} label="Run now" tone="primary" /> : null}
      {held === null ? null : (
        <ActionButton
          action={call.at(`${SYNC_PATH}/apply`)}
          label={
            missingRule(held) === 'archive'
              ? 'Archive the missing jobs once…'
              : 'Close the missing jobs once…'
          }
          tone="danger"
        />
      )}
    </div>
  );
}

/** The counts of a run. Shows nothing for other operations. */
export function RunFigures({ operation }: { readonly operation: Operation }) {
  const { sync } = operation;
  if (sync === null) return null;
  const figures = SHOWN_COUNTS.map((name) => ({
    label: countLabel(name, missingRule(operation)),
    value: countText(sync[name]),
    live: name,
    tone: name === 'refused' && sync.refused > 0 ? ('warn' as const) : ('calm' as const),
  }));
  return <Figures figures={figures} />;
}

/** The counts of a run as the script refreshes them. Empty for other operations. */
export function liveCounts({ sync }: Operation): Readonly<Record<string, string>> {
  if (sync === null) return {};
  return Object.fromEntries(SHOWN_COUNTS.map((name) => [name, countText(sync[name])]));
}
