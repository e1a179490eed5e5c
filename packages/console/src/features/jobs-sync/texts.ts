import type { LastJobSync, MissingJobs, Operation, SyncCounts } from '@partner-hiring/core';
import { countText, type Tone } from '../../view/parts.js';

/** The path of the page of the sync, below the console's path. */
export const SYNC_PATH = '/job-sync';

/** The counts of a run, in the order in which pages show them. */
export const SHOWN_COUNTS = ['added', 'updated', 'reopened', 'closed', 'unchanged', 'refused'] as const;

/** The name of a shown count. */
export type ShownCount = (typeof SHOWN_COUNTS)[number];

/** The label of a count. A run closes or archives missing jobs. */
export function countLabel(name: ShownCount, missing: MissingJobs): string {
  const shown = name === 'closed' && missing === 'archive' ? 'archived' : name;
  return `${shown.slice(0, 1).toUpperCase()}${shown.slice(1)}`;
}

/** The treatment of the jobs that a run misses. */
export function missingRule({ plan }: Pick<Operation, 'plan'>): MissingJobs {
  return plan.kind === 'sync_jobs' ? plan.missing : 'close';
}

/** Returns the run if it is held. Null if it is not. */
export function heldRun({ operation }: Pick<LastJobSync, 'operation'>): Operation | null {
  return operation?.state === 'held' ? operation : null;
}

/** Names what is wrong with the syncs, for the headline of the overview. Null for an actor who may not see them. */
export function syncTroubles(last: LastJobSync | null): readonly string[] {
  if (last === null) return [];
  const { failures, isHeld, refusedRows } = last;
  const times = failures === 1 ? '' : ` ${countText(failures)} times in a row`;
  return [
    ...(failures > 0 ? [`the job sync has failed${times}`] : []),
    ...(isHeld ? ['the job sync is held'] : []),
    ...(refusedRows > 0
      ? [`the job sync refuses ${countText(refusedRows)} ${refusedRows === 1 ? 'row' : 'rows'}`]
      : []),
  ];
}

/** Returns the number of rows of the source that a run has read so far. */
export function rowsRead(counts: SyncCounts): number {
  const { added, updated, reopened, unchanged, refused } = counts;
  return added + updated + reopened + unchanged + refused;
}

/** Writes the counts that are not zero, such as `12 added, 988 unchanged`. */
export function summaryText(counts: SyncCounts): string {
  const texts = SHOWN_COUNTS.flatMap((name) =>
    counts[name] === 0 ? [] : [`${countText(counts[name])} ${name}`],
  );
  return texts.length === 0 ? 'no rows' : texts.join(', ');
}

/** Writes a share, such as `33.3 %`. */
export function shareText(part: number, all: number): string {
  return all === 0 ? '–' : `${Number(((part / all) * 100).toPrecision(3))} %`;
}

/** The state of the last run in words. */
export interface VerdictTexts {
  readonly tone: Tone;
  readonly lead: string;
  readonly detail: string;
}

const LEFT_TO_NEXT = 'The next run reads the source from its start.';

/** Says what the last run did. */
export function verdictOf(
  last: Pick<LastJobSync, 'operation' | 'dueAt' | 'applyUpTo' | 'isHeld'>,
): VerdictTexts {
  const { operation, dueAt, applyUpTo } = last;
  if (operation === null) {
    return dueAt === null
      ? { tone: 'calm', lead: 'No job source is set.', detail: NO_SOURCE }
      : { tone: 'calm', lead: 'There is no run to show.', detail: 'A worker begins the next one.' };
  }
  const { sync, lastError } = operation;
  const close = missingRule(operation);
  const still = last.isHeld ? ' An earlier run was held, so missing jobs are still open.' : '';
  const refused = sync?.refused ?? 0;
  switch (operation.state) {
    case 'running':
      return { tone: 'calm', lead: 'A run reads the job source now.', detail: still.trim() };
    case 'held':
      if (applyUpTo !== null) {
        return {
          tone: 'calm',
          lead: `The next run may ${close} up to ${countText(applyUpTo)} missing jobs, once: somebody has confirmed it.`,
          detail: `The last run was held. ${lastError ?? ''}`.trim(),
        };
      }
      return {
        tone: 'warn',
        lead: `The last run was held: it did not ${close} the missing jobs.`,
        detail: `${lastError ?? ''} Apart from that, all changes of the source are saved.`.trim(),
      };
    case 'failed':
      return { tone: 'bad', lead: 'The last run failed.', detail: `${lastError ?? LEFT_TO_NEXT}${still}` };
    case 'stopped':
      return { tone: 'warn', lead: 'The last run was stopped.', detail: `${LEFT_TO_NEXT}${still}` };
    case 'done':
      if (refused === 0) return { tone: 'good', lead: 'The jobs are in step with their source.', detail: '' };
      return {
        tone: 'warn',
        lead: `The jobs are in step with their source, except for ${countText(refused)} refused ${refused === 1 ? 'row' : 'rows'}.`,
        detail: 'Correct these rows in the source. The next run reads them again.',
      };
  }
}

const NO_SOURCE =
  'To keep the jobs in step with your own table, ask those who run the server to set the source of the jobs.';
