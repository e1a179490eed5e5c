import { highPayText, type JobSyncOptions, type JobSyncResult } from '@partner-hiring/core';
import type { AnyOperator, OperatorCommand, Report } from '../../command/command.js';
import { CommandError, UsageError } from '../../command/command-error.js';
import { formOf } from '../../command/command-form.js';
import type { CommandInput } from '../../command/command-input.js';
import { unknownCountriesText } from '../../report/unknown-countries.js';
import { readJobRows } from './job-rows.js';
import { bytesOf, openInput } from './open-input.js';
import { countsText, heldText, paragraphs, refusedText } from './sync-report.js';

const form = formOf('jobs.syncs.run');

/** The command `jobs sync`. */
export const syncJobs: OperatorCommand = {
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
    return reportOf(await syncFrom(operator, input.option('file'), options), options);
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

function reportOf(result: JobSyncResult, { missing = 'close', dryRun = false }: JobSyncOptions): Report {
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
