import {
  highPayText,
  type JobSyncOptions,
  type JobSyncResult,
  type LastJobSync,
  type RefusedRow,
} from '@partner-hiring/core';
import type { AnyOperator, OperatorCommand, Report } from '../../command/command.js';
import { CommandError, UsageError } from '../../command/command-error.js';
import { formOf } from '../../command/command-form.js';
import type { CommandInput } from '../../command/command-input.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment, paragraphs, tableReport, unknownCountriesText } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { readJobRows } from './job-rows.js';
import { bytesOf, openInput } from './open-input.js';
import { countsText, heldText, operationCounts } from './operation-text.js';

const form = formOf('jobs.syncs.run');

const sync: OperatorCommand = {
  library: 'jobs.syncs.run',
  summary: 'Brings jobs in step with a file, or with the standard input: one job per line, or a JSON array',
  options: {
    file: { value: 'FILE', summary: 'The file of all open jobs; - is the standard input' },
    ...form.options,
    'missing-share-at-most': {
      value: 'PART',
      summary: 'The largest part of the open jobs that may go in one run, default 0.2',
    },
  },
  run: async (operator, input) => {
    const missingShareAtMost = readPart(input);
    const options: JobSyncOptions = { ...form.read<JobSyncOptions>(input), missingShareAtMost };
    return syncReport(await syncFrom(operator, input.option('file'), options), options);
  },
};

function readPart(input: CommandInput): number | undefined {
  const part = input.optionNumber('missing-share-at-most');
  if (part === undefined || (part >= 0 && part <= 1)) return part;
  throw new UsageError('--missing-share-at-most must be a part from 0 to 1, such as 0.2.');
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs a sync, and stops it at a signal. A second signal ends the process. */
async function syncFrom(
  operator: AnyOperator,
  file: string | undefined,
  options: JobSyncOptions,
): Promise<JobSyncResult> {
  const source = await openInput(file);
  // The sync reports the error. This listener is for an error before the first read or after the last one.
  source.on('error', () => {});
  const stop = new AbortController();
  const onSignal = () => {
    stop.abort(new CommandError('Stopped.'));
    // Without this, an input that hangs would keep the sync waiting.
    source.destroy(stop.signal.reason);
  };
  // A dry run has nothing to record: the signal ends the process.
  const signals = options.dryRun === true ? [] : SIGNALS;
  for (const name of signals) process.once(name, onSignal);
  try {
    return await operator.jobs.syncs.run(readJobRows(bytesOf(source)), { ...options, signal: stop.signal });
  } catch (error) {
    throw stop.signal.aborted ? await stoppedError(operator) : error;
  } finally {
    for (const name of signals) process.off(name, onSignal);
    source.destroy();
  }
}

async function stoppedError({ jobs }: AnyOperator): Promise<CommandError> {
  const { operation } = await jobs.syncs.last({ refusedLimit: 0 });
  const run = operation?.state === 'stopped' ? ` Operation: ${operation.id}.` : '';
  return new CommandError(
    `Stopped: changes until now stand. The next run reads its input from the start.${run}`,
  );
}

function syncReport(result: JobSyncResult, { missing = 'close', dryRun = false }: JobSyncOptions): Report {
  const { state, operationId, refused, refusedCount } = result;
  const counts = countsText(result, refusedCount, missing);
  const ends: Readonly<Partial<Record<JobSyncResult['state'], string>>> = {
    held: heldText(result.heldReason, operationId),
    stopped: 'Somebody has stopped this run. No missing job is closed after that.',
    failed: 'Another process has ended this run, because this one did not answer for half a minute.',
  };
  const text = paragraphs(
    dryRun ? `Nothing was changed. A sync would give: ${counts}.` : `${counts}. Operation: ${operationId}`,
    ends[state] ?? '',
    unknownCountriesText(result.unknownCountries),
    highPayText(result),
    refusedText(refused, refusedCount),
  );
  return { text, value: result, isBadNews: state !== 'done' || refusedCount > 0 };
}

const last = libraryCommand('jobs.syncs.last', lastReport);

const soon = libraryCommand('jobs.syncs.request', ({ changed }, { applyHeld }) => {
  if (applyHeld === undefined)
    return changed ? 'A worker begins a sync now.' : 'Unchanged: a sync is already due.';
  return changed
    ? 'Allowed once: the next sync may close as many missing jobs. A worker with the option `jobs` begins it now. Otherwise, run your sync again.'
    : 'Unchanged: the next sync may already close them.';
});

const held = listCommand('jobs.listHeld', {
  columns: {
    COMPANY: ({ companyId }) => companyId,
    NAME: ({ companyName }) => companyName,
    ID: ({ jobId }) => jobId,
    TITLE: ({ jobTitle }) => jobTitle,
    STATE: ({ state }) => state ?? 'deleted',
  },
  empty: 'No job is held back.',
  end: () =>
    'The held sync has saved all other changes. `jobs last-sync` shows its counts, and how to let the next one close these.',
});

/** The commands that bring jobs in step with a source. */
export const syncCommands = { sync, 'last-sync': last, held, 'sync-soon': soon };

function lastReport(last: LastJobSync): Report {
  const { operation, dueAt, applyUpTo, refused } = last;
  const next =
    dueAt === null
      ? 'No worker has a source of jobs.'
      : `A worker begins the next sync at ${moment(dueAt)}, or after the one under way.`;
  if (operation === null) return { text: paragraphs('No sync has run.', next), value: last };
  const { id, state, sync, createdAt, finishedAt, lastError } = operation;
  const ended = finishedAt === null ? '' : `, ended ${moment(finishedAt)}`;
  const error = lastError === null ? '' : `Last error: ${terminalText(lastError)}`;
  const text = paragraphs(
    `${id} is ${state}: ${operationCounts(operation)}.\nBegan ${moment(createdAt)}${ended}.`,
    state === 'held' ? heldText(lastError, id) : error,
    applyUpTo === null ? '' : `The next sync may close up to ${applyUpTo} missing jobs.`,
    highPayText(sync),
    refusedText(refused, sync?.refused ?? refused.length),
    next,
  );
  return { text, value: last, isBadNews: state === 'held' || state === 'failed' };
}

/** The command prints the first refused rows as a table. `--json` prints up to 1,000 of them. */
const MOST_SHOWN = 20;

/** Describes the first refused rows. Empty without any. */
function refusedText(refused: readonly RefusedRow[], count: number): string {
  if (refused.length === 0) return '';
  const shown = refused.slice(0, MOST_SHOWN);
  const table = tableReport(
    shown,
    { REFUSED: ({ id }) => id, CODE: ({ code }) => code, WHY: ({ message }) => message },
    '',
  ).text;
  const more = count - shown.length;
  return more === 0 ? table : `${table}\n… and ${more} more. --json prints the first 1,000.`;
}
