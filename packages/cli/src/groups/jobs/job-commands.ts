import { describeJob, type Job } from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { factsReport, sentence } from '../../report/report.js';
import { closing, closingAll, movedText } from './close-job.js';
import { importJobs } from './import-jobs.js';
import { publish } from './publish-job.js';

const list = listCommand('jobs.list', {
  columns: {
    ID: ({ id }) => id,
    TITLE: ({ title }) => title,
    COMPANY: ({ companyId }) => companyId,
    NAME: ({ companyName }) => companyName,
    STATE: (job) => (job.internalOnly ? `${job.state}, internal` : job.state),
    PAY: describePay,
    QUESTIONS: ({ applicationFormSchema }) => applicationFormSchema?.length ?? 0,
  },
  empty: 'No jobs. To publish one, see: jobs publish --help',
});

const count = libraryCommand(
  'jobs.count',
  (jobs, { state }) => sentence(`Jobs${state === undefined ? '' : `, ${state}`}: ${jobs}`, { count: jobs }),
  { idsMustExist: true },
);

/** Commands on jobs. */
export const jobGroup: CommandGroup = {
  summary: 'Jobs',
  standard: 'list',
  commands: {
    list,
    show: libraryCommand('jobs.find', (job) => factsReport(job, describeJob(job))),
    count,
    publish,
    close: closing('jobs.close', 'closed'),
    'close-all': closingAll,
    reopen: libraryCommand('jobs.reopen', (outcome) => movedText(outcome, 'open')),
    archive: closing('jobs.archive', 'archived'),
    'set-visibility': libraryCommand('jobs.setVisibility', (outcome) =>
      movedText(outcome, outcome.job.internalOnly ? 'sourced internally' : 'public'),
    ),
    import: importJobs,
  },
};

function describePay({ compensation: { min, max, currency } }: Job): string {
  if (min === null && max === null) return '-';
  return `${min ?? '…'} to ${max ?? '…'} ${currency}/h`;
}
