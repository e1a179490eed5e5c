import type { Job, JobOutcome, JobState, JobTarget, ListedJob, OperatorCommands } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { listCommand } from '../../report/list-command.js';
import { allRows, noPageWithout } from '../../report/pages.js';
import { sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { TIMELINE_OPTIONS, timelineOptionsOf, timelineReport } from '../../report/timeline-report.js';
import { companyMustExist } from '../must-exist.js';
import { importJobs } from './import-jobs.js';
import { publish } from './publish-job.js';

const JOB_STATES = ['open', 'closed', 'archived'] as const satisfies readonly JobState[];

const list = listCommand({
  options: {
    company: { value: 'ID', summary: 'Only those of this company' },
    state: { choices: JOB_STATES, summary: 'Only those in this state' },
  },
  read: async (operator, input, page) => {
    const state = input.optionChoice('state', JOB_STATES);
    const companyId = input.optionId('company');
    if (companyId === undefined) {
      noPageWithout('company', input);
      return listAll(operator, state);
    }
    await companyMustExist(operator, companyId);
    return operator.jobs.list({ companyId, state, ...page });
  },
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

const count: OperatorCommand = {
  arguments: ['company'],
  options: { state: { choices: JOB_STATES, summary: 'Only those in this state' } },
  run: async (operator, input) => {
    const companyId = input.id('company');
    await companyMustExist(operator, companyId);
    const state = input.optionChoice('state', JOB_STATES);
    const jobs = await operator.jobs.count({ companyId, state });
    return sentence(`Jobs${state === undefined ? '' : `, ${state}`}: ${jobs}`, { count: jobs });
  },
};

const closeAll: OperatorCommand = {
  arguments: ['company'],
  run: async (operator, input) => {
    const operation = await operator.jobs.closeAll({ companyId: input.id('company') });
    return sentence(`Closing ${operation.counts.total} jobs: operations show ${operation.id}`, operation);
  },
};

async function listAll(
  operator: OperatorCommands,
  state: JobState | undefined,
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

const timeline: OperatorCommand = {
  arguments: ['job'],
  options: { key: { value: 'ID', summary: 'As this key saw it' }, ...TIMELINE_OPTIONS },
  run: async (operator, input) => {
    const keyId = input.optionId('key');
    const found = await operator.jobs.timeline({ id: input.id('job'), keyId, ...timelineOptionsOf(input) });
    return timelineReport(found, found.news);
  },
};

/** Commands on jobs. */
export const jobGroup: CommandGroup = {
  summary: 'Jobs',
  standard: 'list',
  commands: {
    list,
    count,
    publish,
    close: move('closed', (jobs) => jobs.close),
    'close-all': closeAll,
    reopen: move('open', (jobs) => jobs.reopen),
    archive: move('archived', (jobs) => jobs.archive),
    unarchive: move('open', (jobs) => jobs.unarchive),
    internal: move('sourced internally', (jobs) => jobs.markInternalOnly),
    public: move('public', (jobs) => jobs.markPublic),
    import: importJobs,
    timeline,
  },
};

type Jobs = OperatorCommands['jobs'];

function move(after: string, pick: (jobs: Jobs) => (job: JobTarget) => Promise<JobOutcome>): OperatorCommand {
  return {
    arguments: ['job'],
    run: async (operator, input) => {
      const outcome = await pick(operator.jobs)({ id: input.id('job') });
      const { id, title } = outcome.job;
      return sentence(
        `${id} (${terminalText(title)}) ${outcome.changed ? 'is now' : 'was already'} ${after}.`,
        outcome,
      );
    },
  };
}

function describePay({ compensation: { min, max, currency } }: Job): string {
  if (min === null && max === null) return '-';
  return `${min ?? '…'} to ${max ?? '…'} ${currency}/h`;
}
