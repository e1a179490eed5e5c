import type { JobOutcome, JobTarget, OperatorCommands } from '@partner-hiring/core';
import type { Job, JobState } from '@partner-hiring/core/ports';
import type { Command, CommandGroup } from './command.js';
import { companyMustExist } from './must-exist.js';
import { publish } from './publish-job.js';
import { sentence, tableReport } from './report.js';

const JOB_STATES = ['open', 'closed', 'archived'] as const satisfies readonly JobState[];

const list: Command = {
  summary: 'Lists jobs, including those hidden from partners',
  options: {
    company: { value: 'ID', summary: 'Only those of this company' },
    state: { value: JOB_STATES.join('|'), summary: 'Only those in this state' },
  },
  run: async (operator, input) => {
    const companyId = input.optionId('company');
    const state = input.optionChoice('state', JOB_STATES);
    if (companyId !== undefined) await companyMustExist(operator, companyId);
    const companies =
      companyId === undefined ? (await operator.companies.list()).map(({ id }) => id) : [companyId];
    const jobs = await Promise.all(
      companies.map((id) => operator.jobs.list({ companyId: id, ...(state === undefined ? {} : { state }) })),
    );
    return tableReport(
      jobs.flat(),
      {
        ID: ({ id }) => id,
        TITLE: ({ title }) => title,
        COMPANY: (job) => job.companyId,
        STATE: (job) => (job.internalOnly ? `${job.state}, internal` : job.state),
        PAY: describePay,
        QUESTIONS: ({ applicationFormSchema }) => applicationFormSchema?.length ?? 0,
      },
      'No jobs. To publish one, see: jobs publish --help',
    );
  },
};

/** Commands on jobs. */
export const jobGroup: CommandGroup = {
  summary: 'Jobs',
  standard: 'list',
  commands: {
    list,
    publish,
    close: move('Closes a job', 'closed', (jobs) => jobs.close),
    reopen: move('Reopens a closed job', 'open', (jobs) => jobs.reopen),
    archive: move('Archives a job', 'archived', (jobs) => jobs.archive),
    unarchive: move('Reopens an archived job', 'open', (jobs) => jobs.unarchive),
    internal: move('Hides a job from all partners', 'sourced internally', (jobs) => jobs.markInternalOnly),
    public: move('Shows a job to partners again', 'public', (jobs) => jobs.markPublic),
  },
};

type Jobs = OperatorCommands['jobs'];

function move(
  summary: string,
  after: string,
  pick: (jobs: Jobs) => (job: JobTarget) => Promise<JobOutcome>,
): Command {
  return {
    summary,
    arguments: ['job'],
    run: async (operator, input) => {
      const outcome = await pick(operator.jobs)({ id: input.id('job') });
      const { id, title } = outcome.job;
      return sentence(`${id} (${title}) ${outcome.changed ? 'is now' : 'was already'} ${after}.`, outcome);
    },
  };
}

function describePay({ compensation: { min, max, currency } }: Job): string {
  if (min === null && max === null) return '-';
  return `${min ?? '…'} to ${max ?? '…'} ${currency}/h`;
}
