import {
  type ApplicationDetails,
  type ApplicationFilter,
  type ApplicationOutcome,
  describeApplication,
  describeCandidate,
  notSearched,
  type OperatorCommands,
} from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { doesNotExist } from '../../command/id-kinds.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { factsReport, moment } from '../../report/report.js';

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
  empty: (given) =>
    isOfPerson(given)
      ? 'Nobody was found.'
      : 'No applications. Partners submit them with POST /applications.',
  note: (given) => (isOfPerson(given) ? notSearched(given) : ''),
});

function isOfPerson({ email, phone }: ApplicationFilter): boolean {
  return email !== undefined || phone !== undefined;
}

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

/** A command that changes an application. Says first if the platform's own system does not hear of it. */
function changing(name: 'applications.decide' | 'applications.move'): OperatorCommand {
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

function updateResume(fetch: 'again' | 'stop', summary: string): OperatorCommand {
  return libraryCommand(
    'applications.updateResume',
    ({ application }) => `The résumé is ${describeResume(application)}.`,
    { summary, without: ['fetch'], adds: { options: {}, read: () => ({ fetch }) } },
  );
}

/** Commands on applications. */
export const applicationGroup: CommandGroup = {
  summary: 'Applications, from submitted to decided',
  standard: 'list',
  commands: {
    list,
    show,
    move: changing('applications.move'),
    decide: changing('applications.decide'),
    'fetch-resume': updateResume('again', 'Retries the download of a résumé'),
    'stop-resume': updateResume('stop', 'Stops the download of a résumé that is tried again later'),
  },
};

function describeOutcome({ application: { id, status, stage }, changed }: ApplicationOutcome): string {
  return `${id} ${changed ? 'is now' : 'was already'} ${status}, ${stage}.`;
}

/** Returns the ids of an application's partner key and job with their names. A dash stands for a row that was deleted. */
async function namesOf(operator: OperatorCommands, { keyId, jobId }: ApplicationDetails) {
  const [key, job] = await Promise.all([
    operator.keys.find({ id: keyId }),
    operator.jobs.find({ id: jobId }),
  ]);
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
