import type { FormAnswers } from './application-form.js';
import type { ApplicationId, CompanyId, JobId, KeyId } from './ids.js';
import type { Instant } from './time.js';

/** Contract: 6.3 to 6.5. */
export interface Candidate {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** E.164. */
  readonly phone: string;
}

/** Finer than the status. */
export type Stage =
  | 'initial_outreach'
  | 'video_interview'
  | 'under_review'
  | 'final_review'
  | 'hired'
  | 'closed';

/** Contract: 2.13. */
export const STAGE_LABELS = {
  initial_outreach: 'Initial Outreach',
  video_interview: 'Video Interview',
  under_review: 'Under Review',
  final_review: 'Final Review',
  hired: 'Hired',
  closed: 'Closed',
} as const satisfies Record<Stage, string>;

/** The label of a stage, for people. */
export type StageLabel = (typeof STAGE_LABELS)[Stage];

/** Contract: 2.12. */
export type ApplicationStatus = 'received' | 'in_progress' | 'accepted' | 'rejected';

/** All statuses. */
export const APPLICATION_STATUSES = [
  'received',
  'in_progress',
  'accepted',
  'rejected',
] as const satisfies readonly ApplicationStatus[];

/** The statuses of an application that waits for a decision. */
export const UNDECIDED_STATUSES = ['received', 'in_progress'] as const satisfies readonly ApplicationStatus[];

/** The status of an application that waits for a decision. */
export type UndecidedStatus = (typeof UNDECIDED_STATUSES)[number];

/** A hiring decision. */
export type Decision = 'accepted' | 'rejected';

/** The first stage is the initial one. */
export const STAGES_OF = {
  received: ['initial_outreach'],
  in_progress: ['video_interview', 'under_review', 'final_review'],
  accepted: ['hired'],
  rejected: ['closed'],
} as const satisfies Record<ApplicationStatus, readonly [Stage, ...Stage[]]>;

/** A stage of `in_progress`. */
export type EvaluationStage = (typeof STAGES_OF)['in_progress'][number];

/** Contract: 3.1 to 3.5. */
export const STATUS_MOVES: Readonly<Record<ApplicationStatus, readonly ApplicationStatus[]>> = {
  received: ['in_progress'],
  in_progress: ['accepted', 'rejected'],
  accepted: [],
  rejected: [],
};

/** The fields of an application that partners may see. */
export interface Application {
  readonly id: ApplicationId;
  readonly keyId: KeyId;
  readonly jobId: JobId;
  readonly companyId: CompanyId;
  readonly sourceApplicationId: string | null;
  readonly status: ApplicationStatus;
  readonly stage: Stage;
  readonly submittedAt: Instant;
  readonly lastStatusChangeAt: Instant;
  readonly changedAt: Instant;
}

/** Not visible to partners. */
export type ResumeState =
  | { readonly kind: 'none' }
  | { readonly kind: 'pending'; readonly attempts: number }
  | { readonly kind: 'fetched'; readonly location: string; readonly fetchedAt: Instant }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly detail?: string | undefined;
      readonly failedAt: Instant;
    };

/** An application with the fields that only the host may see. */
export interface ApplicationRecord extends Application {
  readonly candidate: Candidate;
  readonly source: string | null;
  readonly answers: FormAnswers;
  readonly resumeUrl: string | null;
  readonly resume: ResumeState;
  /** When the candidate's data was erased. All texts of the candidate are then empty. Null if it is stored. */
  readonly erasedAt: Instant | null;
}

/** A requested move. */
export type ApplicationMove =
  | { readonly to: 'in_progress'; readonly stage?: EvaluationStage | undefined }
  | { readonly to: Decision };

/** Options that allow moves beyond the status table. */
export interface MoveRules {
  readonly decideFromReceived: boolean;
}

/** The result of a move. */
export type MoveDecision =
  | {
      readonly kind: 'moved';
      readonly status: ApplicationStatus;
      readonly stage: Stage;
      readonly statusChanged: boolean;
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'illegal'; readonly from: ApplicationStatus };

/** Returns `unchanged` for a move to the current status and stage. */
export function decideMove(
  application: Pick<Application, 'status' | 'stage'>,
  move: ApplicationMove,
  rules: MoveRules,
): MoveDecision {
  const { status: from } = application;
  const stage = stageAfter(application, move);
  if (from === move.to) {
    return stage === application.stage
      ? { kind: 'unchanged' }
      : { kind: 'moved', status: from, stage, statusChanged: false };
  }
  if (!isLegal(from, move.to, rules)) return { kind: 'illegal', from };
  return { kind: 'moved', status: move.to, stage, statusChanged: true };
}

/** Returns whether a status is a final decision. Only decisions cause an event. Contract: 10.3. */
export function isTerminal(status: ApplicationStatus): status is Decision {
  return STATUS_MOVES[status].length === 0;
}

function isLegal(from: ApplicationStatus, to: ApplicationStatus, rules: MoveRules): boolean {
  if (STATUS_MOVES[from].includes(to)) return true;
  return rules.decideFromReceived && from === 'received' && isTerminal(to);
}

function stageAfter(application: Pick<Application, 'status' | 'stage'>, move: ApplicationMove): Stage {
  if (move.to !== 'in_progress') return STAGES_OF[move.to][0];
  if (move.stage !== undefined) return move.stage;
  return application.status === 'in_progress' ? application.stage : STAGES_OF.in_progress[0];
}

/**
 * When the candidate agreed to be contacted, and through which key the partner reported it. A submission without
 * consent is refused. Contract: 6.6.
 */
export interface Consent {
  readonly givenAt: Instant;
  readonly keyId: KeyId;
}

/** Returns the consent that came with the submission. */
export function consentOf({ submittedAt, keyId }: Pick<ApplicationRecord, 'submittedAt' | 'keyId'>): Consent {
  return { givenAt: submittedAt, keyId };
}

/** Returns the stamp of the application's event. Null if none was sent: only decisions are. */
export function eventStampOf({
  keyId,
  status,
  lastStatusChangeAt,
}: Pick<ApplicationRecord, 'keyId' | 'status' | 'lastStatusChangeAt'>): {
  readonly keyId: KeyId;
  readonly at: Instant;
} | null {
  return isTerminal(status) ? { keyId, at: lastStatusChangeAt } : null;
}
