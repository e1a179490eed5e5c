import { type ApplicationMove, type ApplicationRecord, isTerminal, STAGES_OF } from './application.js';
import type { ApplicationId, KeyId } from './ids.js';
import { readSandboxAddress } from './sandbox-address.js';
import type { SandboxJobName } from './sandbox-jobs.js';
import { type Instant, MINUTE_MS, SECOND_MS } from './time.js';

/** How long an application of the sandbox stays in a stage: long enough to be read, short enough to wait for. */
export const SANDBOX_STAGE_MS = SECOND_MS;
/** How long after an application a job leaves: a test has the answer to its submission by then. */
export const SANDBOX_LEAVES_AFTER_MS = 3 * SECOND_MS;
/** How long a job stays away: long enough to meet its errors, and a test run later it is there again. */
export const SANDBOX_AWAY_MS = MINUTE_MS;

/** Something that happens by itself in a sandbox, and when. What happens is decided once it is due. */
export type SandboxStep =
  | { readonly kind: 'application'; readonly id: ApplicationId; readonly dueAt: Instant }
  | {
      readonly kind: 'job';
      readonly keyId: KeyId;
      readonly name: SandboxJobName;
      readonly dueAt: Instant;
    };

/** The next move of an application by its candidate's address, and when it is due; null if there is none. */
export function nextApplicationMove({
  status,
  stage,
  changedAt,
  candidate,
}: Pick<ApplicationRecord, 'status' | 'stage' | 'changedAt' | 'candidate'>): {
  readonly move: ApplicationMove;
  readonly dueAt: Instant;
} | null {
  const script = readSandboxAddress(candidate.email);
  if (isTerminal(status) || script === null || script === 'unknown' || script.kind !== 'moves') return null;
  const done = script.moves.findIndex((move) => move.to === 'in_progress' && move.stage === stage);
  // An operator has moved it to where its script does not lead.
  if (done === -1 && stage !== STAGES_OF.received[0]) return null;
  const move = script.moves[done + 1];
  return move === undefined ? null : { move, dueAt: changedAt + SANDBOX_STAGE_MS };
}

/** No step is planned further ahead than a job stays away; twice that, as stamps of a burst run ahead of the clock. */
const FURTHEST_AHEAD_MS = 2 * SANDBOX_AWAY_MS;

/** Whether the time of a step has come. So it has when it lies further ahead than any does: the clock was set back. */
export function isStepDue(dueAt: Instant, now: Instant): boolean {
  const leftMs = dueAt - now;
  return leftMs <= 0 || leftMs > FURTHEST_AHEAD_MS;
}

/** Where a job that comes and goes stands for its key. */
export interface SandboxJobStanding {
  readonly isVisible: boolean;
  /** Whether it is gone for its own reason, and not for another that an operator had. */
  readonly isAway: boolean;
  /** When it last appeared, changed or disappeared for the key. */
  readonly changedAt: Instant;
  /** When applications to it were submitted, in any order. */
  readonly submittedAt: readonly Instant[];
}

/** What happens next to a job that comes and goes, and when; null if nothing does before somebody applies. */
export function nextJobMove(
  job: SandboxJobStanding,
): { readonly move: 'leave' | 'return'; readonly dueAt: Instant } | null {
  const { isVisible, isAway, changedAt } = job;
  if (isAway) return { move: 'return', dueAt: changedAt + SANDBOX_AWAY_MS };
  const since = job.submittedAt.filter((at) => at > changedAt);
  if (!isVisible || since.length === 0) return null;
  return { move: 'leave', dueAt: Math.min(...since) + SANDBOX_LEAVES_AFTER_MS };
}
