import type {
  CommandName,
  Job,
  JobFilter,
  JobOutcome,
  ListedJob,
  OperatorCommands,
} from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { allRows } from '../../report/pages.js';
import { sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { timelineReport } from '../../report/timeline-report.js';
import { importJobs } from './import-jobs.js';
import { publish } from './publish-job.js';

const list = listCommand('jobs.list', {
  mayOmit: ['companyId'],
  all: { unless: 'company', read: listAll },
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

async function listAll(
  operator: OperatorCommands,
  { state }: Pick<JobFilter, 'state'>,
): Promise<readonly ListedJob[]> {
  const companies = await allRows(operator.companies.list, (page) => page.items);
  const jobs = await Promise.all(
    companies.map(({ id: companyId }) =>
      allRows(
        (page) => operator.jobs.list({ companyId, state, ...page }),
        (page) => page.items,
      ),
    ),
  );
  return jobs.flat();
}

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
    count,
    publish,
    close: move('jobs.close', 'closed'),
    'close-all': libraryCommand(
      'jobs.closeAll',
      ({ id, counts }) => `Closing ${counts.total} jobs: operations show ${id}`,
    ),
    reopen: move('jobs.reopen', 'open'),
    archive: move('jobs.archive', 'archived'),
    unarchive: move('jobs.unarchive', 'open'),
    internal: move('jobs.markInternalOnly', 'sourced internally'),
    public: move('jobs.markPublic', 'public'),
    import: importJobs,
    timeline: libraryCommand('jobs.timeline', (timeline) => timelineReport(timeline, timeline.news)),
  },
};

type Move = Extract<
  CommandName,
  `jobs.${'archive' | 'close' | 'markInternalOnly' | 'markPublic' | 'reopen' | 'unarchive'}`
>;

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
