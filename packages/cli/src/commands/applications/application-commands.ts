import {
  type ApplicationDetails,
  type ApplicationOutcome,
  describeApplication,
  describeCandidate,
  type OperatorCommands,
} from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { doesNotExist } from '../../command/id-kinds.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { factsReport, moment, timelineReport } from '../../report/report.js';
import { terminalJsonLine } from '../../report/terminal-text.js';
import { standingText } from '../webhooks/outcome.js';

const list = listCommand('applications.list', {
  columns: {
    ID: ({ id }) => id,
    CANDIDATE: ({ candidate }) => `${candidate.firstName} ${candidate.lastName}`,
    PARTNER: ({ keyLabel }) => keyLabel,
    COMPANY: ({ companyName }) => companyName,
    JOB: ({ jobId, jobTitle }) => `${jobId} ${jobTitle}`,
    STATUS: ({ status }) => status,
    STAGE: ({ stage }) => stage,
    SUBMITTED: ({ submittedAt }) => moment(submittedAt),
    CHANGED: ({ changedAt }) => moment(changedAt),
  },
  empty: 'No applications. Partners submit them with POST /applications.',
});

const show: OperatorCommand = {
  library: 'applications.find',
  arguments: ['application'],
  run: async (operator, input) => {
    const id = input.id('application');
    const application = await operator.applications.find({ id });
    if (application === null) throw doesNotExist('application', id);
    const facts = [...describeApplication(application), ...describeCandidate(application)];
    const resume = describeResume(application);
    return factsReport(application, facts, { ...(await namesOf(operator, application)), resume });
  },
};

const events = libraryCommand('applications.events', (found) => {
  const texts = found.map((details) => `${terminalJsonLine(details.event.body)}\n\n${standingText(details)}`);
  const none = 'No events. A decision causes one if the key has an endpoint.';
  return { value: found, text: texts.length === 0 ? none : texts.join('\n\n') };
});

/** A command that changes an application. Says first if the platform's own system does not hear of it. */
function changing(
  name: 'applications.beginEvaluation' | 'applications.decide' | 'applications.moveStage',
): OperatorCommand {
  const command = libraryCommand(name, describeOutcome);
  return {
    ...command,
    run: async (operator, input, dialog) => {
      const found = await operator.applications.find({ id: input.id('application') });
      if (found?.notice) dialog?.warn(`Warning: ${found.notice}`);
      return command.run(operator, input, dialog);
    },
  };
}

/** Commands on applications. */
export const applicationGroup: CommandGroup = {
  summary: 'Applications, from begin to decide',
  standard: 'list',
  commands: {
    list,
    show,
    timeline: libraryCommand('applications.timeline', (timeline) => timelineReport(timeline, timeline.news)),
    events,
    begin: changing('applications.beginEvaluation'),
    stage: changing('applications.moveStage'),
    decide: changing('applications.decide'),
    'fetch-resume': libraryCommand(
      'applications.fetchResumeAgain',
      ({ application }) => `The résumé is ${describeResume(application)}.`,
    ),
    'stop-resume': libraryCommand(
      'applications.stopResume',
      ({ application }) => `The résumé is ${describeResume(application)}.`,
    ),
  },
};

function describeOutcome({ application: { id, status, stage }, changed }: ApplicationOutcome): string {
  return `${id} ${changed ? 'is now' : 'was already'} ${status}, ${stage}.`;
}

/** Returns the ids of an application's partner key and job with their names. A dash stands for a row that was deleted. */
async function namesOf(operator: OperatorCommands, { keyId, jobId }: ApplicationDetails) {
  const [key, job] = await Promise.all([operator.keys.find({ keyId }), operator.jobs.find({ id: jobId })]);
  const company = job === null ? null : await operator.companies.find({ id: job.companyId });
  return {
    keyId: `${keyId} ${key?.label ?? '-'}`,
    jobId: [jobId, job?.title ?? '-', ...(company === null ? [] : [`at ${company.name}`])].join(' '),
  };
}

function describeResume({ resume, resumeDueAt }: Pick<ApplicationDetails, 'resume' | 'resumeDueAt'>): string {
  switch (resume.kind) {
    case 'none':
      return '-';
    case 'pending':
      return `pending, ${resume.attempts} attempts so far${resumeDueAt ? `, tried next at ${moment(resumeDueAt)}` : ''}`;
    case 'fetched':
      return resume.location;
    case 'failed':
      return `failed: ${[resume.reason, resume.detail].filter(Boolean).join(', ')}`;
  }
}
