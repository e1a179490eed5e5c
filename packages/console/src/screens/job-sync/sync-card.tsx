import type { LastJobSync, Operation } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { Gate } from '../../gate/gate.js';
import type { ScreenCall } from '../../http/screen.js';
import { countText, durationText, Time } from '../../view/parts.js';
import { failedText, heldRun, refusedText, summaryText } from './sync-texts.js';
import { SyncVerdict } from './sync-verdict.js';

/** Reads the state of the sync without its refused rows. Null if the actor may not see it. */
export async function readSync(gate: Gate): Promise<LastJobSync | null> {
  if (!gate.isForAllPartners || !gate.may('jobs:read')) return null;
  return gate.call('jobs.lastSync', { refusedLimit: 0 });
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

/** Says what is wrong with the syncs, until a run ends it. */
export function SyncAlerts({ call, last }: { readonly call: ScreenCall; readonly last: LastJobSync }) {
  const { failures, goodAt, refusedRows } = last;
  return (
    <>
      {failures === 0 ? null : (
        <SyncAlert call={call} lead={`The job sync ${failedText(failures)}.`}>
          The jobs may be behind their source since <Time at={goodAt} />.
        </SyncAlert>
      )}
      {last.isHeld ? (
        <SyncAlert call={call} lead={heldText(last)}>
          These jobs stay open. Repair the source, or let the next run close them once.
        </SyncAlert>
      ) : null}
      {refusedRows === 0 ? null : (
        <SyncAlert call={call} lead={`The job sync refuses ${refusedText(refusedRows)} of its source.`}>
          All others are in step. Correct these rows in the source.
        </SyncAlert>
      )}
    </>
  );
}

function heldText(last: LastJobSync): string {
  const counts = heldRun(last)?.sync ?? null;
  const missing =
    counts === null
      ? 'open jobs are missing in their source.'
      : `${countText(counts.missing)} of ${countText(counts.open)} open jobs are missing in their source.`;
  return `The job sync is held: ${missing}`;
}

function SyncAlert({
  call,
  lead,
  children,
}: {
  readonly call: ScreenCall;
  readonly lead: string;
  readonly children: Child;
}) {
  return (
    <section class="card news warn" role="alert">
      <p class="lead">{lead}</p>
      <p>
        {children} <a href={call.link('job-sync', '') ?? undefined}>Open the job sync</a>
      </p>
    </section>
  );
}
