import {
  type ApplicationRecord,
  type Decision,
  type EvaluationStage,
  STAGES_OF,
} from '../domain/application.js';
import type { ApplicationId, CompanyId, JobId } from '../domain/ids.js';
import type { Repositories } from '../ports/repositories.js';
import { checkedLimit, inspect, inspectChoice } from './inspection.js';
import { moveApplication } from './move-application.js';
import type { Runner } from './scope.js';

/** Names the application that a command is about. */
export interface ApplicationTarget {
  readonly id: ApplicationId;
}

/** An application after a command, and whether the command changed it. */
export interface ApplicationOutcome {
  readonly application: ApplicationRecord;
  readonly changed: boolean;
}

/** Narrows a list of applications. `limit` is 1 to 1000, 100 if it is left out. */
export interface ApplicationFilter {
  readonly jobId?: JobId;
  readonly companyId?: CompanyId;
  readonly limit?: number;
}

/**
 * How the host evaluates candidates and decides. The same state again changes nothing; a move that the
 * specification does not know throws `ILLEGAL_MOVE`. Spec: States and transitions, application status.
 *
 * All moves throw OperatorError `INVALID_INPUT` and `APPLICATION_NOT_FOUND`.
 */
export interface ApplicationCommands {
  /** `received` to `in_progress`, at the first stage if none is given. There is no event. */
  beginEvaluation(
    move: ApplicationTarget & { readonly stage?: EvaluationStage },
  ): Promise<ApplicationOutcome>;
  /** Moves between the stages of `in_progress`; one still `received` begins there. There is no event. */
  moveStage(move: ApplicationTarget & { readonly stage: EvaluationStage }): Promise<ApplicationOutcome>;
  /** Hires or rejects; `application.status_changed` is recorded in the same commit. */
  decide(move: ApplicationTarget & { readonly decision: Decision }): Promise<ApplicationOutcome>;
  /** The application with its candidate and answers, or null. */
  find(application: ApplicationTarget): Promise<ApplicationRecord | null>;
  /** The newest applications to a job, of a company, or of all. @throws OperatorError `INVALID_INPUT`. */
  list(filter?: ApplicationFilter): Promise<readonly ApplicationRecord[]>;
}

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
