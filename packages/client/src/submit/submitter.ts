import { PartnerApiError, SubmissionConflictError, SubmissionPendingError } from '../errors.js';
import { createKeyedQueue } from '../keyed-queue.js';
import type { PendingSubmission } from '../submission-store.js';
import type { NewSubmission } from '../wire.js';
import {
  createRecord,
  orPending,
  recordId,
  requireSourceId,
  type SubmissionContext,
  type Submitted,
  settleSubmission,
} from './settle-submission.js';

export type { Submitted } from './settle-submission.js';

/** The result of resuming one pending submission. */
export type Resumed =
  | { readonly kind: 'submitted'; readonly sourceApplicationId: string; readonly submitted: Submitted }
  /** It has no application. */
  | { readonly kind: 'refused'; readonly sourceApplicationId: string; readonly error: PartnerApiError }
  | {
      readonly kind: 'pending';
      readonly sourceApplicationId: string;
      readonly error: SubmissionPendingError;
    }
  /** The store cannot read the record. It may belong to any key that uses the store. */
  | {
      readonly kind: 'unreadable';
      readonly sourceApplicationId: null;
      readonly where: string;
      readonly error: unknown;
    };

/** Calls with the same `sourceApplicationId` run in order. */
export interface Submitter {
  submit(submission: NewSubmission, signal?: AbortSignal): Promise<Submitted>;
  resumePending(signal?: AbortSignal): Promise<readonly Resumed[]>;
}

export function createSubmitter(context: SubmissionContext): Submitter {
  const { store, scope } = context;
  const inOrder = createKeyedQueue();
  return {
    submit: (submission, signal) => {
      requireSourceId(submission);
      const id = recordId(scope, submission.sourceApplicationId);
      return inOrder(id, () => beginSubmission(context, submission, signal));
    },
    resumePending: async (signal) => {
      const records = await store.listPending(scope);
      const resumed = await Promise.all(
        records.map((record) => {
          if (record.state === 'pending') {
            return inOrder(record.id, () => resumeSubmission(context, record, signal));
          }
          const { where, error } = record;
          return { kind: 'unreadable', sourceApplicationId: null, where, error } as const;
        }),
      );
      return resumed.filter((one) => one !== null);
    },
  };
}

/** Continues with the stored record of this id, if it exists. */
async function beginSubmission(
  context: SubmissionContext,
  submission: NewSubmission,
  signal: AbortSignal | undefined,
): Promise<Submitted> {
  signal?.throwIfAborted();
  const fresh = await createRecord(context.scope, submission);
  const stored = await context.store.add(fresh);
  if (stored.fingerprint !== fresh.fingerprint) {
    throw new SubmissionConflictError(stored.sourceApplicationId, stored.state === 'submitted');
  }
  if (stored.state === 'submitted') {
    const { application, idempotencyKey } = stored;
    return { application, outcome: 'known', idempotencyKey, requestId: null };
  }
  return settleSubmission(context, stored, stored.idempotencyKey !== fresh.idempotencyKey, signal);
}

/** Null if another call settled the submission meanwhile. */
async function resumeSubmission(
  context: SubmissionContext,
  listed: PendingSubmission,
  signal: AbortSignal | undefined,
): Promise<Resumed | null> {
  signal?.throwIfAborted();
  const { id, sourceApplicationId } = listed;
  try {
    const failure = 'The store could not read the record again.';
    const record = await orPending(listed, failure, () => context.store.find(id));
    if (record?.state !== 'pending') return null;
    const submitted = await settleSubmission(context, record, true, signal);
    return { kind: 'submitted', sourceApplicationId, submitted };
  } catch (error) {
    if (error instanceof PartnerApiError) return { kind: 'refused', sourceApplicationId, error };
    if (error instanceof SubmissionPendingError) return { kind: 'pending', sourceApplicationId, error };
    throw error;
  }
}
