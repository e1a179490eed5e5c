import {
  type ApplicationFilter,
  type ApplicationOutcome,
  type ApplicationRecord,
  type ApplicationStatus,
  type Decision,
  type EvaluationStage,
  type OperatorCommands,
  OperatorError,
  type ResumeState,
} from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand, Report } from '../../command/command.js';
import type { CommandInput } from '../../command/command-input.js';
import { listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';
import { terminalJsonLine, terminalText } from '../../report/terminal-text.js';
import { TIMELINE_OPTIONS, timelineOptionsOf, timelineReport } from '../../report/timeline-report.js';
import { companyMustExist, jobMustExist, keyMustExist } from '../must-exist.js';
import { standingText } from '../webhooks/outcome.js';

const APPLICATION_STATUSES = [
  'received',
  'in_progress',
  'accepted',
  'rejected',
] as const satisfies readonly ApplicationStatus[];
const STAGES = [
  'video_interview',
  'under_review',
  'final_review',
] as const satisfies readonly EvaluationStage[];
const DECISIONS = ['accepted', 'rejected'] as const satisfies readonly Decision[];

const list = listCommand({
  options: {
    key: { value: 'ID', summary: 'Only those of this key' },
    company: { value: 'ID', summary: 'Only those to jobs of this company' },
    job: { value: 'ID', summary: 'Only those to this job' },
    status: {
      choices: APPLICATION_STATUSES,
      summary: 'Only in this status; with --key, --company or --job',
    },
    since: { value: 'TIME', summary: 'Only submitted since; with --key, --company or --job' },
    'changed-since': { value: 'TIME', summary: 'In the order of changes, with --key' },
    'erased-since': { value: 'TIME', summary: 'Only those whose candidate was erased since' },
    'last-name': { value: 'TEXT', summary: 'Only last names that begin with this text' },
    'source-id': { value: 'TEXT', summary: 'Only with this id at the partner' },
  },
  read: async (operator, input, page) =>
    operator.applications.list({ ...(await filterOf(operator, input)), ...page }),
  columns: {
    ID: ({ id }) => id,
    CANDIDATE: ({ candidate }) => `${candidate.firstName} ${candidate.lastName}`,
    PARTNER: ({ keyLabel }) => keyLabel,
    COMPANY: ({ companyName }) => companyName,
    JOB: ({ jobId, jobTitle }) => `${jobId} ${jobTitle}`,
    STATUS: ({ status }) => status,
    STAGE: ({ stage }) => stage,
    SUBMITTED: ({ submittedAt }) => moment(submittedAt),
  },
  empty: 'No applications. Partners submit them with POST /applications.',
});

async function filterOf(operator: OperatorCommands, input: CommandInput): Promise<ApplicationFilter> {
  const [keyId, companyId, jobId] = [input.optionId('key'), input.optionId('company'), input.optionId('job')];
  if (keyId !== undefined) await keyMustExist(operator, keyId);
  if (companyId !== undefined) await companyMustExist(operator, companyId);
  if (jobId !== undefined) await jobMustExist(operator, jobId);
  return {
    keyId,
    companyId,
    jobId,
    status: input.optionChoice('status', APPLICATION_STATUSES),
    submittedSince: input.optionInstant('since'),
    changedSince: input.optionInstant('changed-since'),
    erasedSince: input.optionInstant('erased-since'),
    lastNamePrefix: input.option('last-name'),
    sourceApplicationId: input.option('source-id'),
  };
}

const show: OperatorCommand = {
  arguments: ['application'],
  run: async (operator, input) => {
    const id = input.id('application');
    const application = await operator.applications.find({ id });
    if (application === null) {
      throw new OperatorError(
        'APPLICATION_NOT_FOUND',
        `Application ${id} does not exist. Run: applications list`,
      );
    }
    return { text: describe(application, await namesOf(operator, application)), value: application };
  },
};

const events: OperatorCommand = {
  arguments: ['application'],
  run: async (operator, input) => {
    const found = await operator.applications.events({ id: input.id('application') });
    const texts = found.map(
      (details) => `${terminalJsonLine(details.event.body)}\n\n${standingText(details)}`,
    );
    const none = 'No events. A decision causes one if the key has an endpoint.';
    return { value: found, text: texts.length === 0 ? none : texts.join('\n\n') };
  },
};

const timeline: OperatorCommand = {
  arguments: ['application'],
  options: TIMELINE_OPTIONS,
  run: async (operator, input) => {
    const id = input.id('application');
    const found = await operator.applications.timeline({ id, ...timelineOptionsOf(input) });
    return timelineReport(found, found.news);
  },
};

const begin: OperatorCommand = {
  arguments: ['application'],
  options: { stage: { choices: STAGES, summary: 'The first stage' } },
  run: async (operator, input) => {
    const stage = input.optionChoice('stage', STAGES);
    const id = input.id('application');
    return report(await operator.applications.beginEvaluation({ id, stage }));
  },
};

const stage: OperatorCommand = {
  arguments: ['application', { name: 'stage', choices: STAGES }],
  run: async (operator, input) =>
    report(
      await operator.applications.moveStage({
        id: input.id('application'),
        stage: input.choice('stage', STAGES),
      }),
    ),
};

const decide: OperatorCommand = {
  arguments: ['application', { name: 'decision', choices: DECISIONS }],
  run: async (operator, input) =>
    report(
      await operator.applications.decide({
        id: input.id('application'),
        decision: input.choice('decision', DECISIONS),
      }),
    ),
};

const fetchResume: OperatorCommand = {
  arguments: ['application'],
  run: async (operator, input) => {
    const outcome = await operator.applications.fetchResumeAgain({ id: input.id('application') });
    return sentence(`The résumé is ${describeResume(outcome.application.resume)}.`, outcome);
  },
};

/** Commands on applications. */
export const applicationGroup: CommandGroup = {
  summary: 'Applications, from begin to decide',
  standard: 'list',
  commands: { list, show, timeline, events, begin, stage, decide, 'fetch-resume': fetchResume },
};

function report(outcome: ApplicationOutcome): Report {
  const { id, status, stage } = outcome.application;
  return sentence(`${id} ${outcome.changed ? 'is now' : 'was already'} ${status}, ${stage}.`, outcome);
}

interface ApplicationNames {
  readonly partner: string;
  readonly job: string;
}

/** Returns the names of an application's partner key and job. A dash stands for a row that was deleted. */
async function namesOf(
  operator: OperatorCommands,
  { keyId, jobId }: ApplicationRecord,
): Promise<ApplicationNames> {
  const [key, job] = await Promise.all([operator.keys.find({ keyId }), operator.jobs.find({ id: jobId })]);
  const company = job === null ? null : await operator.companies.find({ id: job.companyId });
  return {
    partner: key?.label ?? '-',
    job: [job?.title ?? '-', ...(company === null ? [] : [`at ${company.name}`])].join(' '),
  };
}

function describe(application: ApplicationRecord, names: ApplicationNames): string {
  const { id, keyId, jobId, status, stage, candidate, answers, sourceApplicationId, source } = application;
  const lines: readonly (readonly [string, string])[] = [
    ['application', `${id}, submitted ${moment(application.submittedAt)}`],
    ['status', `${status}, ${stage}, since ${moment(application.lastStatusChangeAt)}`],
    ['partner', `${keyId} ${names.partner}`],
    ['job', `${jobId} ${names.job}`],
    ['candidate', `${candidate.firstName} ${candidate.lastName}`],
    ['contact', `${candidate.email}, ${candidate.phone}`],
    ["partner's id", sourceApplicationId ?? '-'],
    ['source', source ?? '-'],
    ['résumé', describeResume(application.resume)],
    ...Object.entries(answers).map(([key, answer]) => [`answer ${key}`, JSON.stringify(answer)] as const),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => terminalText(`${name.padEnd(width)}  ${text}`)).join('\n');
}

function describeResume(resume: ResumeState): string {
  switch (resume.kind) {
    case 'none':
      return '-';
    case 'pending':
      return `pending, ${resume.attempts} attempts so far`;
    case 'fetched':
      return resume.location;
    case 'failed':
      return `failed: ${[resume.reason, resume.detail].filter(Boolean).join(', ')}`;
  }
}
