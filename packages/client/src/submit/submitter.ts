import type { CallOptions } from '../call-options.js';
import { PartnerApiError, SubmissionConflictError, SubmissionPendingError } from '../errors.js';
import { createKeyedQueue } from '../keyed-queue.js';
import type { PendingSubmission } from '../submission-store.js';
import type { CreatedApplication, NewSubmission } from '../wire.js';
import { findInList } from './find-in-list.js';
import {
  asCreated,
  createRecord,
  readAgain,
  readContent,
  recordId,
  type SubmissionContent,
  type SubmissionContext,
  type Submitted,
  saveFound,
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
    }
  /** The last result: three submissions in a row had no answer, so the others were not tried. */
  | {
      readonly kind: 'stopped';
      readonly sourceApplicationId: null;
      /** The number of submissions that were not tried. */
      readonly left: number;
      readonly error: SubmissionPendingError;
    };

/** How a submission was given up. */
export type Abandoned =
  /** The service has it: this is its application. After a replacement, it may have the content before. */
  | { readonly kind: 'submitted'; readonly application: CreatedApplication }
  /** The service does not have it. Its record and the personal data are removed. */
  | { readonly kind: 'removed' }
  /** The store has no record of it. */
  | { readonly kind: 'unknown' };

export interface SubmitterOptions {
  readonly replace: boolean;
  readonly call: CallOptions;
}

/** Calls with the same `sourceApplicationId` run in order. */
export interface Submitter {
  submit(submission: NewSubmission, options: SubmitterOptions): Promise<Submitted>;
  abandon(sourceApplicationId: string, call: CallOptions): Promise<Abandoned>;
  resumePending(call: CallOptions): AsyncIterable<Resumed>;
}

/** How many submissions are resumed at once. */
const AT_ONCE = 8;
/** After so many in a row without an answer, the service is away. */
const MOST_WITHOUT_ANSWER = 3;

export function createSubmitter(context: SubmissionContext): Submitter {
  const { store, scope } = context;
  const inOrder = createKeyedQueue();

  return {
    submit: async (submission, { replace, call }) => {
      // Before the first await, because the caller may change the object as soon as it gets the promise.
      const content = readContent(submission);
      const id = recordId(scope, content.sourceApplicationId);
      return inOrder(id, () => beginSubmission(context, content, replace, call));
    },
    abandon: async (sourceApplicationId, call) => {
      const id = recordId(scope, sourceApplicationId);
      return inOrder(id, () => abandonRecord(context, id, call));
    },
    resumePending: async function* (call) {
      const waiting = [...(await store.listPending(scope))];
      const running = new Map<PendingSubmission, Promise<readonly [PendingSubmission, Resumed | null]>>();
      let unanswered = 0;
      let last: SubmissionPendingError | null = null;
      for (;;) {
        while (running.size < AT_ONCE && unanswered < MOST_WITHOUT_ANSWER) {
          const record = waiting.shift();
          if (record === undefined) break;
          if (record.state === 'unreadable') {
            const { where, error } = record;
            yield { kind: 'unreadable', sourceApplicationId: null, where, error };
          } else {
            const resuming = inOrder(record.id, () => resumeSubmission(context, record, call)).then(
              (resumed) => [record, resumed] as const,
            );
            // The loop may end before this one does.
            resuming.catch(() => {});
            running.set(record, resuming);
          }
        }
        if (running.size === 0) break;
        const [record, resumed] = await Promise.race(running.values());
        running.delete(record);
        if (resumed === null) continue;
        last = resumed.kind === 'pending' && resumed.error.reason === 'no_answer' ? resumed.error : null;
        unanswered = last === null ? 0 : unanswered + 1;
        yield resumed;
      }
      if (last !== null && waiting.length > 0) {
        yield { kind: 'stopped', sourceApplicationId: null, left: waiting.length, error: last };
      }
    },
  };
}

/** Continues with the stored record of this id, if it exists. */
async function beginSubmission(
  context: SubmissionContext,
  content: SubmissionContent,
  isReplacement: boolean,
  call: CallOptions,
): Promise<Submitted> {
  call.signal?.throwIfAborted();
  const fresh = await createRecord(context, content, isReplacement);
  // The same content continues under its old key, so that the service knows it.
  if (isReplacement && (await context.store.find(fresh.id))?.fingerprint !== fresh.fingerprint) {
    await abandonRecord(context, fresh.id, call);
  }
  const stored = await context.store.add(fresh);
  if (stored.fingerprint !== fresh.fingerprint) {
    throw new SubmissionConflictError(stored.sourceApplicationId, stored.state === 'submitted');
  }
  if (stored.state === 'submitted') {
    const { application, idempotencyKey } = stored;
    return { application, outcome: 'known', idempotencyKey, requestId: null };
  }
  const wasTried = stored.idempotencyKey !== fresh.idempotencyKey;
  return settleSubmission(context, stored, { wasTried, call });
}

/**
 * Looks for the application of a pending record in the list of applications. Settles the record if it is there, and
 * removes it otherwise. Also removes one that replaced other content, which the application may have.
 */
async function abandonRecord(context: SubmissionContext, id: string, call: CallOptions): Promise<Abandoned> {
  call.signal?.throwIfAborted();
  const record = await context.store.find(id);
  if (record === null) return { kind: 'unknown' };
  if (record.state === 'submitted') return { kind: 'submitted', application: record.application };
  const found = await findInList(context.listApplications, record, call);
  if (found !== null && record.isReplacement !== true) {
    const { application } = await saveFound(context, record, found, null);
    return { kind: 'submitted', application };
  }
  await context.store.remove(record);
  return found === null ? { kind: 'removed' } : { kind: 'submitted', application: asCreated(found) };
}

/** Null if another call settled the submission meanwhile. */
async function resumeSubmission(
  context: SubmissionContext,
  listed: PendingSubmission,
  call: CallOptions,
): Promise<Resumed | null> {
  call.signal?.throwIfAborted();
  const { sourceApplicationId } = listed;
  try {
    const record = await readAgain(context.store, listed);
    if (record?.state !== 'pending') return null;
    const submitted = await settleSubmission(context, record, { wasTried: true, call });
    return { kind: 'submitted', sourceApplicationId, submitted };
  } catch (error) {
    if (error instanceof PartnerApiError) return { kind: 'refused', sourceApplicationId, error };
    if (error instanceof SubmissionPendingError) return { kind: 'pending', sourceApplicationId, error };
    throw error;
  }
}
