import type { LastJobSync, Operation } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import type { ScreenCall } from '../../http/screen.js';
import { countText, durationText, Time } from '../../view/parts.js';
import { heldRun, summaryText } from './texts.js';
import { SyncVerdict } from './verdict.js';

/** Reads the state of the sync without its refused rows. Null if the actor may not see it. */
export async function readSync(gate: Gate): Promise<LastJobSync | null> {
  if (!gate.isForAllPartners || !gate.may('jobs:read')) return null;
  return gate.call('jobs.syncs.last', { refusedLimit: 0 });
}

/** The last run on the screen of the jobs. Shows nothing on a platform without a sync. */
export async function SyncCard({ call }: { readonly call: ScreenCall }) {
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
export function HeldSyncAlert({ call, last }: { readonly call: ScreenCall; readonly last: LastJobSync }) {
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
