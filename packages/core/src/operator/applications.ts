import type { ApplicationRecord, Decision, EvaluationStage } from '../domain/application.js';
import type { ApplicationId, CompanyId, JobId } from '../domain/ids.js';

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
  /**
   * Has a résumé that could not be fetched tried again, from the address that the partner gave. One that is
   * still to be fetched is left as it is.
   *
   * @throws OperatorError `APPLICATION_NOT_FOUND`, or `ILLEGAL_MOVE` if there is none or it was fetched.
   */
  fetchResumeAgain(application: ApplicationTarget): Promise<ApplicationOutcome>;
  /** The application with its candidate and answers, and how fetching the résumé went; or null. */
  find(application: ApplicationTarget): Promise<ApplicationRecord | null>;
  /** The newest applications to a job, of a company, or of all. @throws OperatorError `INVALID_INPUT`. */
  list(filter?: ApplicationFilter): Promise<readonly ApplicationRecord[]>;
}
