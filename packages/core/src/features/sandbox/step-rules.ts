import {
  type ApplicationMove,
  type ApplicationRecord,
  isTerminal,
  STAGES_OF,
} from '../../domain/application.js';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import { readSandboxAddress } from './address-rules.js';
import type { SandboxJobName } from './job-rules.js';

/** How long a simulated candidate stays in a stage. */
export const SANDBOX_STAGE_MS = SECOND_MS;
/** How long after an application its job becomes unavailable. */
export const SANDBOX_LEAVES_AFTER_MS = 3 * SECOND_MS;
/** How long such a job stays unavailable. */
export const SANDBOX_AWAY_MS = MINUTE_MS;

export type SandboxStep =
  | { readonly kind: 'application'; readonly id: ApplicationId; readonly dueAt: Instant }
  | {
      readonly kind: 'job';
      readonly keyId: KeyId;
      readonly name: SandboxJobName;
      readonly dueAt: Instant;
    };

export function nextApplicationMove(
  application: Pick<ApplicationRecord, 'status' | 'stage' | 'changedAt' | 'candidate'>,
): { readonly move: ApplicationMove; readonly dueAt: Instant } | null {
  const { status, stage, changedAt, candidate } = application;
  const script = readSandboxAddress(candidate.email);
  if (isTerminal(status) || script === null || script === 'unknown' || script.kind !== 'moves') return null;
  const done = script.moves.findIndex((move) => move.to === 'in_progress' && move.stage === stage);
  // The script does not contain this stage: an operator moved the application there.
  if (done === -1 && stage !== STAGES_OF.received[0]) return null;
  const move = script.moves[done + 1];
  return move === undefined ? null : { move, dueAt: changedAt + SANDBOX_STAGE_MS };
}

/**
 * The longest plausible time until a step. It is twice the longest delay, because the stamps of a burst run
 * ahead of the clock.
 */
const FURTHEST_AHEAD_MS = 2 * SANDBOX_AWAY_MS;

/**
 * Returns whether to run a step now. A step is also due if it is implausibly far ahead, because then the
 * clock was set back.
 */
export function isStepDue(dueAt: Instant, now: Instant): boolean {
  const leftMs = dueAt - now;
  return leftMs <= 0 || leftMs > FURTHEST_AHEAD_MS;
}

export interface SandboxJobStanding {
  readonly isVisible: boolean;
  readonly isAway: boolean;
  readonly changedAt: Instant;
  readonly submittedAt: readonly Instant[];
}

export function nextJobMove(
  job: SandboxJobStanding,
): { readonly move: 'leave' | 'return'; readonly dueAt: Instant } | null {
  const { isVisible, isAway, changedAt } = job;
  if (isAway) return { move: 'return', dueAt: changedAt + SANDBOX_AWAY_MS };
  const since = job.submittedAt.filter((at) => at > changedAt);
  if (!isVisible || since.length === 0) return null;
  return { move: 'leave', dueAt: Math.min(...since) + SANDBOX_LEAVES_AFTER_MS };
}
