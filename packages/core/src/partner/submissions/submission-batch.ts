import type { AcceptedSubmission } from '../../ports/repositories/submissions.js';
import type { Runtime } from '../../ports/runtime.js';
import type { StorageClock } from '../../storage-clock.js';
import type { SubmitCall, SubmitOutcome } from '../partner-api.js';
import type { BuildReply } from './accept-submissions.js';
import type { Acceptance } from './decide-outcomes.js';
import type { JudgeDeps } from './judge-submissions.js';

/** What one batch needs besides its transaction. */
export interface BatchDeps extends JudgeDeps {
  readonly runtime: Pick<Runtime, 'ids'>;
  /** By which keys and access windows expire, and applications are stamped. */
  readonly storageClock: Pick<StorageClock, 'now'>;
  readonly buildReply: BuildReply;
}

/** A submission of the batch that was accepted, with what it left behind. */
export interface Accepted {
  readonly acceptance: Acceptance;
  readonly submission: AcceptedSubmission;
}

/** What became of each call of a batch, in their order; null for a call that was passed over. */
export type BatchOutcomes = readonly (SubmitOutcome | null)[];

/** A key or a source id of the batch was bound without our having seen it: since we looked, or for want of a look. */
export class BatchConflict extends Error {
  override readonly name = 'BatchConflict';
}

/** The acceptances of a batch, each with what was built of it. */
export function pairAccepted(
  acceptances: readonly Acceptance[],
  submissions: readonly AcceptedSubmission[],
): readonly Accepted[] {
  return acceptances.map((acceptance, index) => ({ acceptance, submission: at(submissions, index) }));
}

/** The outcome of each call, null for those that were not kept. */
export function outcomesOf(
  calls: readonly SubmitCall[],
  kept: readonly SubmitCall[],
  outcomes: readonly SubmitOutcome[],
): BatchOutcomes {
  if (kept.length === calls.length) return outcomes;
  const found = new Map(kept.map((call, index) => [call, at(outcomes, index)]));
  return calls.map((call) => found.get(call) ?? null);
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new Error('Both lists come from the same calls.');
  return value;
}
