import { createKeyedQueue } from './keyed-queue.js';
import type { UnreadableSubmission } from './submission-store.js';
import { beginSubmission } from './submit/begin-submission.js';
import { resumeSubmission } from './submit/resume-submission.js';
import type { SubmissionContext } from './submit/submission-context.js';
import { recordId, requireSourceId } from './submit/submission-record.js';
import type { Resumed, Submitted } from './submit/submitted.js';
import type { NewSubmission } from './wire.js';

/** Submits candidates, each exactly once. */
export interface Submitter {
  submit(submission: NewSubmission, signal?: AbortSignal): Promise<Submitted>;
  resumePending(signal?: AbortSignal): Promise<readonly Resumed[]>;
}

/** Builds it over a store. What has one `sourceApplicationId` takes turns. */
export function createSubmitter(context: SubmissionContext): Submitter {
  const { store, scope } = context;
  const inTurn = createKeyedQueue();
  return {
    submit: (submission, signal) => {
      requireSourceId(submission);
      const id = recordId(scope, submission.sourceApplicationId);
      return inTurn(id, () => beginSubmission(context, submission, signal));
    },
    resumePending: async (signal) => {
      const records = await store.listPending(scope);
      const resumed = await Promise.all(
        records.map((record) =>
          record.state === 'unreadable'
            ? tellUnreadable(record)
            : inTurn(record.id, () => resumeSubmission(context, record, signal)),
        ),
      );
      return resumed.filter((one) => one !== null);
    },
  };
}

function tellUnreadable({ where, error }: UnreadableSubmission): Resumed {
  return { kind: 'unreadable', sourceApplicationId: null, where, error };
}
