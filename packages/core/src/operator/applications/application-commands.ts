import { type ApplicationRecord, type Decision, STAGES_OF } from '../../domain/application.js';
import type { Repositories } from '../../ports/storage.js';
import type { ApplicationCommands, ApplicationFilter } from '../applications.js';
import { checkedLimit, inspect, inspectChoice } from '../input/inspection.js';
import type { Runner } from '../scope.js';
import { fetchResumeAgain } from './fetch-resume-again.js';
import { moveApplication } from './move-application.js';

const DECISIONS = ['accepted', 'rejected'] as const satisfies readonly Decision[];

/** Builds the commands about applications. */
export function applicationCommands({ run, read }: Runner): ApplicationCommands {
  return {
    beginEvaluation: ({ id, stage }) =>
      run((scope) => {
        if (stage !== undefined)
          inspectOne('applications.beginEvaluation', 'stage', stage, STAGES_OF.in_progress);
        return moveApplication(scope, id, { to: 'in_progress', ...(stage !== undefined && { stage }) });
      }),
    moveStage: ({ id, stage }) =>
      run((scope) => {
        inspectOne('applications.moveStage', 'stage', stage, STAGES_OF.in_progress);
        return moveApplication(scope, id, { to: 'in_progress', stage });
      }),
    decide: ({ id, decision }) =>
      run((scope) => {
        inspectOne('applications.decide', 'decision', decision, DECISIONS);
        return moveApplication(scope, id, { to: decision });
      }),
    fetchResumeAgain: ({ id }) => run((scope) => fetchResumeAgain(scope, id)),
    find: async ({ id }) => (await read.applications.find([id]))[0] ?? null,
    list: async (filter) => listApplications(read, filter ?? {}),
  };
}

function inspectOne(command: string, field: string, value: string, choices: readonly string[]): void {
  const inspection = inspect(command);
  inspectChoice(inspection, value, field, choices);
  inspection.end();
}

function listApplications(
  read: Repositories,
  { jobId, companyId, limit }: ApplicationFilter,
): Promise<readonly ApplicationRecord[]> {
  return read.applications.listRecent({
    jobId: jobId ?? null,
    companyId: companyId ?? null,
    limit: checkedLimit('applications.list', limit),
  });
}
