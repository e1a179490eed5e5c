import type { FormAnswers } from './application-form.js';
import type { Candidate } from './candidate.js';
import type { ApplicationId, CompanyId, JobId, KeyId } from './ids.js';
import type { Stage } from './stage.js';
import type { Instant } from './time.js';

/** Spec: Resources, Application, `status`. */
export type ApplicationStatus = 'received' | 'in_progress' | 'accepted' | 'rejected';

/** The statuses in the order of the specification's table. */
export const APPLICATION_STATUSES = [
  'received',
  'in_progress',
  'accepted',
  'rejected',
] as const satisfies readonly ApplicationStatus[];

/** A hiring decision. */
export type Decision = 'accepted' | 'rejected';

/** The stages each status may stand in. The first is where it starts. */
export const STAGES_OF = {
  received: ['initial_outreach'],
  in_progress: ['video_interview', 'under_review', 'final_review'],
  accepted: ['hired'],
  rejected: ['closed'],
} as const satisfies Record<ApplicationStatus, readonly [Stage, ...Stage[]]>;

/** A stage between which an application under evaluation moves freely. */
export type EvaluationStage = (typeof STAGES_OF)['in_progress'][number];

/** The legal moves of a status. Spec: States and transitions, application status. */
export const STATUS_MOVES: Readonly<Record<ApplicationStatus, readonly ApplicationStatus[]>> = {
  received: ['in_progress'],
  in_progress: ['accepted', 'rejected'],
  accepted: [],
  rejected: [],
};

/** An application as its partner sees it. */
export interface Application {
  readonly id: ApplicationId;
  readonly keyId: KeyId;
  readonly jobId: JobId;
  readonly companyId: CompanyId;
  /** The partner's own identifier, echoed back; null if it gave none. */
  readonly sourceApplicationId: string | null;
  readonly status: ApplicationStatus;
  readonly stage: Stage;
  readonly submittedAt: Instant;
  readonly lastStatusChangeAt: Instant;
  /** The feed's instant of the last change of any kind, stage moves included. */
  readonly changedAt: Instant;
}

/** How fetching the résumé went. Never part of the partner's view. */
export type ResumeState =
  | { readonly kind: 'none' }
  | { readonly kind: 'pending'; readonly attempts: number }
  /** `location` is what the host's sink answered: where the file now lies. */
  | { readonly kind: 'fetched'; readonly location: string; readonly fetchedAt: Instant }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** Why the host's scanner refused it, in the scanner's words; only with the reason `refused_by_scanner`. */
      readonly detail?: string;
      readonly failedAt: Instant;
    };

/** An application with what only the host reads: the candidate and the answers. */
export interface ApplicationRecord extends Application {
  readonly candidate: Candidate;
  /** The upstream channel label; null if none was given. */
  readonly source: string | null;
  readonly answers: FormAnswers;
  /** Where the partner said the résumé lies; null if it gave none. */
  readonly resumeUrl: string | null;
  readonly resume: ResumeState;
}

/** What is asked of an application. */
export type ApplicationMove =
  | { readonly to: 'in_progress'; readonly stage?: EvaluationStage }
  | { readonly to: Decision };

/** What a host allows beyond the table. */
export interface MoveRules {
  /** Let a decision fall while the application is still `received`. Off unless the host switches it on. */
  readonly decideFromReceived: boolean;
}

/** The outcome of asking for a move. */
export type MoveDecision =
  | {
      readonly kind: 'moved';
      readonly status: ApplicationStatus;
      readonly stage: Stage;
      readonly statusChanged: boolean;
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'illegal'; readonly from: ApplicationStatus };

/**
 * Judges a move by the status table. The same state again is `unchanged`, without an event; a stage moves
 * freely inside `in_progress`; all else is illegal and changes nothing.
 */
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

/** Whether a status ends the application: only those are announced. Spec: Events, event types. */
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
