import { type CommandName, describeJob, type Job, type JobOutcome } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { factsReport, sentence, timelineReport } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { closeAll, closing } from './close-job.js';
import { importJobs } from './import-jobs.js';
import { publish } from './publish-job.js';
import { applyHeldSync, lastSync, syncSoon } from './sync/sync-commands.js';
import { syncJobs } from './sync/sync-jobs.js';

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
    'close-all': closeAll,
    reopen: move('jobs.reopen', 'open'),
    archive: closing('jobs.archive', 'archived'),
    unarchive: move('jobs.unarchive', 'open'),
    internal: move('jobs.markInternalOnly', 'sourced internally'),
    public: move('jobs.markPublic', 'public'),
    import: importJobs,
    sync: syncJobs,
    'last-sync': lastSync,
    'sync-soon': syncSoon,
    'apply-held-sync': applyHeldSync,
    timeline: libraryCommand('jobs.timeline', (timeline) => timelineReport(timeline, timeline.news)),
  },
};

type Move = Extract<CommandName, `jobs.${'markInternalOnly' | 'markPublic' | 'reopen' | 'unarchive'}`>;

function move(name: Move, after: string): OperatorCommand {
  return libraryCommand(
    name,
    ({ job: { id, title }, changed }: JobOutcome) =>
      `${id} (${terminalText(title)}) ${changed ? 'is now' : 'was already'} ${after}.`,
  );
}

function describePay({ compensation: { min, max, currency } }: Job): string {
  if (min === null && max === null) return '-';
  return `${min ?? '…'} to ${max ?? '…'} ${currency}/h`;
}
