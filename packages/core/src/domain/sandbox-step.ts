import { type ApplicationMove, type ApplicationRecord, isTerminal, STAGES_OF } from './application.js';
import type { ApplicationId, KeyId } from './ids.js';
import { readSandboxAddress } from './sandbox-address.js';
import type { SandboxJobName } from './sandbox-jobs.js';
import { type Instant, MINUTE_MS, SECOND_MS } from './time.js';

/** How long an application stays in a stage: long enough to read it, short enough for tests. */
export const SANDBOX_STAGE_MS = SECOND_MS;
/** When a job leaves after an application: late enough that the test has its answer. */
export const SANDBOX_LEAVES_AFTER_MS = 3 * SECOND_MS;
/** How long a job stays away: long enough to see its errors, and over before the next test run. */
export const SANDBOX_AWAY_MS = MINUTE_MS;

/** A scheduled step of a sandbox. The worker decides what happens when it is due. */
export type SandboxStep =
  | { readonly kind: 'application'; readonly id: ApplicationId; readonly dueAt: Instant }
  | {
      readonly kind: 'job';
      readonly keyId: KeyId;
      readonly name: SandboxJobName;
      readonly dueAt: Instant;
    };

/** Returns the next move of an application by its candidate's address, or null. */
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
  // An operator moved it out of its script.
  if (done === -1 && stage !== STAGES_OF.received[0]) return null;
  const move = script.moves[done + 1];
  return move === undefined ? null : { move, dueAt: changedAt + SANDBOX_STAGE_MS };
}

/** Twice the longest wait of a step, because the stamps of a burst run ahead of the clock. */
const FURTHEST_AHEAD_MS = 2 * SANDBOX_AWAY_MS;

/** Returns whether a step is due. A step too far ahead is also due: the clock was set back. */
export function isStepDue(dueAt: Instant, now: Instant): boolean {
  const leftMs = dueAt - now;
  return leftMs <= 0 || leftMs > FURTHEST_AHEAD_MS;
}

export interface SandboxJobStanding {
  readonly isVisible: boolean;
  /** Whether it is hidden for its scripted reason, not by an operator. */
  readonly isAway: boolean;
  /** The stamp of its last change for the key. */
  readonly changedAt: Instant;
  /** The applications to it, in any order. */
  readonly submittedAt: readonly Instant[];
}

/** Returns the next move of a job that comes and goes, or null before an application. */
export function nextJobMove(
  job: SandboxJobStanding,
): { readonly move: 'leave' | 'return'; readonly dueAt: Instant } | null {
  const { isVisible, isAway, changedAt } = job;
  if (isAway) return { move: 'return', dueAt: changedAt + SANDBOX_AWAY_MS };
  const since = job.submittedAt.filter((at) => at > changedAt);
  if (!isVisible || since.length === 0) return null;
  return { move: 'leave', dueAt: Math.min(...since) + SANDBOX_LEAVES_AFTER_MS };
}
