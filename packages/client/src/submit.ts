import { type Answer, apiErrorOf, requestIdOf } from './answer.js';
import {
  PartnerApiError,
  type PartnerErrorCode,
  SubmissionConflictError,
  SubmissionPendingError,
} from './errors.js';
import type { Execute } from './execute.js';
import { isRecord } from './is-record.js';
import { createRecord, recordId, requireSourceId } from './submission-record.js';
import type {
  PendingSubmission,
  SettledSubmission,
  SubmissionRecord,
  SubmissionStore,
  UnreadableSubmission,
} from './submission-store.js';
import { createTurns } from './turns.js';
import type { Application, CreatedApplication, NewSubmission } from './wire.js';

/** A submission that became an application, once. */
export interface Submitted {
  readonly application: CreatedApplication;
  /**
   * How we know. `created`: the service has just accepted it. `replayed`: it had accepted an earlier attempt, and
   * said so again. `found`: the key had expired, and the service named the application that has this
   * `sourceApplicationId`. `known`: the store had it; nothing was sent.
   */
  readonly outcome: 'created' | 'replayed' | 'found' | 'known';
  readonly idempotencyKey: string;
  /** `X-Request-Id` of the answer; null if nothing was sent. */
  readonly requestId: string | null;
}

/** What became of a submission that a former process, or a former outage, had left pending. */
export type Resumed =
  | { readonly kind: 'submitted'; readonly sourceApplicationId: string; readonly submitted: Submitted }
  /** The service refused it, finally. */
  | { readonly kind: 'refused'; readonly sourceApplicationId: string; readonly error: PartnerApiError }
  /** Not settled yet: it stays in the store. */
  | {
      readonly kind: 'pending';
      readonly sourceApplicationId: string;
      readonly error: SubmissionPendingError;
    }
  /** The store cannot read what it holds there: `error` says why. Whose it is, nobody knows. */
  | {
      readonly kind: 'unreadable';
      readonly sourceApplicationId: null;
      readonly where: string;
      readonly error: unknown;
    };

/** What submitting needs. */
export interface SubmitDeps {
  readonly execute: Execute;
  readonly store: SubmissionStore;
  /** Whose records these are. */
  readonly scope: string;
  readonly findApplication: (id: string, signal?: AbortSignal) => Promise<Application>;
}

/** Submits candidates, each exactly once. */
export interface Submitter {
  submit(submission: NewSubmission, signal?: AbortSignal): Promise<Submitted>;
  resumePending(signal?: AbortSignal): Promise<readonly Resumed[]>;
}

/**
 * Answers that the service gives after it has looked for a replay, or that any attempt with this body would get:
 * with them it is certain that there is no application of this submission. Whatever is refused before (a wrong
 * key, a wrong address) says nothing about what an earlier attempt did. Decision 78.
 */
const SETTLING: ReadonlySet<PartnerErrorCode> = new Set([
  'VALIDATION_ERROR',
  'JOB_NOT_FOUND',
  'ACCESS_REVOKED',
  'JOB_CLOSED',
  'DUPLICATE_SOURCE_APPLICATION_ID',
  'IDEMPOTENCY_KEY_REUSED',
  'PAYLOAD_TOO_LARGE',
]);

/** Builds it over a store. */
export function createSubmitter({ execute, store, scope, findApplication }: SubmitDeps): Submitter {
  const inTurn = createTurns();

  async function start(submission: NewSubmission, signal: AbortSignal | undefined): Promise<Submitted> {
    signal?.throwIfAborted();
    const fresh = await createRecord(scope, submission);
    const stored = await store.add(fresh);
    if (stored.fingerprint !== fresh.fingerprint) {
      throw new SubmissionConflictError(stored.sourceApplicationId, stored.state === 'submitted');
    }
    if (stored.state === 'submitted') {
      const { application, idempotencyKey } = stored;
      return { application, outcome: 'known', idempotencyKey, requestId: null };
    }
    return settle(stored, stored.idempotencyKey !== fresh.idempotencyKey, signal);
  }

  /** Sends it until it is settled, or is known not to be. `wasTried`: whether it may have been sent before. */
  async function settle(
    record: PendingSubmission,
    wasTried: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Submitted> {
    const { outcome, wasUncertain } = await execute({
      method: 'POST',
      path: '/applications',
      route: { kind: 'submit_application', jobId: record.jobId },
      headers: { 'content-type': 'application/json', 'idempotency-key': record.idempotencyKey },
      body: record.body,
      isExpected: isCreated,
      signal,
    });
    if (outcome.kind === 'given_up') throw pending(record, outcome.error);
    const { answer } = outcome;
    if (answer.status === 201)
      return keep(record, answer.json as CreatedApplication, outcomeOf(answer), answer);
    const error = apiErrorOf(answer);
    const owner = wasTried || wasUncertain ? await findOwner(record, error, signal) : null;
    if (owner !== null) return keep(record, asCreated(owner), 'found', answer);
    if (!SETTLING.has(error.code)) throw pending(record, error);
    await unlessStoreFails(
      record,
      `It was refused (${error.message}), but the store could not note that.`,
      () => store.remove(record),
    );
    throw error;
  }

  /** The application that an attempt of ours has made whose answer never came; null if it is another one. */
  async function findOwner(
    record: PendingSubmission,
    { applicationId }: PartnerApiError,
    signal: AbortSignal | undefined,
  ): Promise<Application | null> {
    if (applicationId === null) return null;
    try {
      const found = await findApplication(applicationId, signal);
      return found.jobId === record.jobId ? found : null;
    } catch (cause) {
      signal?.throwIfAborted();
      throw pending(record, cause);
    }
  }

  async function keep(
    { id, sourceApplicationId, idempotencyKey, fingerprint }: PendingSubmission,
    application: CreatedApplication,
    outcome: Submitted['outcome'],
    answer: Answer,
  ): Promise<Submitted> {
    const base = { id, scope, sourceApplicationId, idempotencyKey, fingerprint };
    const settled: SettledSubmission = { ...base, state: 'submitted', application };
    await unlessStoreFails(
      settled,
      `It was accepted as ${application.id}, but the store could not note that.`,
      () => store.settle(settled),
    );
    return { application, outcome, idempotencyKey, requestId: requestIdOf(answer) };
  }

  /** Null if it was settled meanwhile. */
  async function resume(listed: PendingSubmission, signal: AbortSignal | undefined): Promise<Resumed | null> {
    signal?.throwIfAborted();
    const { id, sourceApplicationId } = listed;
    try {
      const record = await unlessStoreFails(listed, 'The store could not find it again.', () =>
        store.find(id),
      );
      if (record?.state !== 'pending') return null;
      return { kind: 'submitted', sourceApplicationId, submitted: await settle(record, true, signal) };
    } catch (error) {
      if (error instanceof PartnerApiError) return { kind: 'refused', sourceApplicationId, error };
      if (error instanceof SubmissionPendingError) return { kind: 'pending', sourceApplicationId, error };
      throw error;
    }
  }

  return {
    submit: (submission, signal) => {
      requireSourceId(submission);
      return inTurn(recordId(scope, submission.sourceApplicationId), () => start(submission, signal));
    },
    resumePending: async (signal) => {
      const records = await store.listPending(scope);
      const resumed = await Promise.all(
        records.map((record) =>
          record.state === 'unreadable'
            ? tellUnreadable(record)
            : inTurn(record.id, () => resume(record, signal)),
        ),
      );
      return resumed.filter((one) => one !== null);
    },
  };
}

function tellUnreadable({ where, error }: UnreadableSubmission): Resumed {
  return { kind: 'unreadable', sourceApplicationId: null, where, error };
}

function isCreated({ status, json }: Answer): boolean {
  return status === 201 && isRecord(json) && typeof json.id === 'string';
}

function outcomeOf({ headers }: Answer): Submitted['outcome'] {
  return headers.get('idempotent-replayed') === null ? 'created' : 'replayed';
}

function asCreated({ id, sourceApplicationId, jobId, status, submittedAt }: Application): CreatedApplication {
  return { id, sourceApplicationId, jobId, status, createdAt: submittedAt };
}

function pending({ sourceApplicationId }: SubmissionRecord, cause: unknown): SubmissionPendingError {
  return new SubmissionPendingError(sourceApplicationId, cause);
}

/** Asks the store about a submission, which stays pending where the store fails. */
async function unlessStoreFails<Result>(
  record: SubmissionRecord,
  failure: string,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    throw pending(record, new Error(failure, { cause }));
  }
}
