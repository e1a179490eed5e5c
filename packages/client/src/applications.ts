import type { Answer } from './answer.js';
import { answerOf, type Execute } from './execute.js';
import { isRecord } from './is-record.js';
import { createListing, type Listing, type ListOptions } from './listing.js';
import type { SubmissionStore } from './submission-store.js';
import type { Resumed, Submitted } from './submit/submitted.js';
import { createSubmitter } from './submit.js';
import type { SyncOptions, SyncReport } from './sync/sync-options.js';
import { createSync } from './sync.js';
import type { Application, ApplicationStatus, NewSubmission } from './wire.js';

/** How a single request may be cut short. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** What one submission may say besides its content. */
export interface SubmitOptions extends CallOptions {
  /**
   * The company of the job, if you know it: submissions to one company then wait for its limit together from
   * the first one on. Jobs that this client has listed or synced are known.
   */
  readonly companyId?: string;
}

/** What narrows a list of applications. */
export interface ApplicationListOptions extends ListOptions {
  readonly status?: ApplicationStatus;
}

/** The applications of your key. */
export interface ApplicationsClient {
  /**
   * Submits a candidate, exactly once however often you call it: content and key are in the store before the
   * first request, and every attempt, also of a later process, repeats them to the byte. It waits for limits
   * and tries again what may be tried again. Spec: `POST /applications`.
   *
   * @throws PartnerApiError - it was refused, and there is no application. Put it right and submit it again
   *   under the same `sourceApplicationId`. With `DUPLICATE_SOURCE_APPLICATION_ID`, an earlier submission has
   *   it: `applicationId` names its application.
   * @throws SubmissionPendingError - **not a refusal**: it is not settled. See there.
   * @throws SubmissionConflictError - the store has another content under this `sourceApplicationId`.
   * @throws TypeError - there is no `sourceApplicationId`.
   * @throws whatever the store throws as it adds the record: nothing was sent then.
   * @throws whatever the signal was aborted with: the submission stays pending.
   */
  submit(submission: NewSubmission, options?: SubmitOptions): Promise<Submitted>;
  /**
   * Goes on with everything that is pending in the store: call it when your process starts, and from time to
   * time. It never throws for what one submission came to, nor for one that the store cannot read.
   */
  resumePending(options?: CallOptions): Promise<readonly Resumed[]>;
  /** Spec: `GET /applications`. */
  list(options?: ApplicationListOptions): Listing<Application>;
  /**
   * Spec: `GET /applications/{id}`.
   *
   * @throws PartnerApiError `APPLICATION_NOT_FOUND` if there is none of yours; PartnerConnectionError.
   */
  get(id: string, options?: CallOptions): Promise<Application>;
  /** Brings your copy up to date, stage moves included. As `jobs.sync`. */
  sync(options: SyncOptions<Application>): Promise<SyncReport>;
}

/** What the client needs for applications. */
export interface ApplicationsDeps {
  readonly execute: Execute;
  readonly now: () => number;
  readonly store: SubmissionStore;
  readonly scope: string;
  readonly learn: (jobId: string, companyId: string) => void;
}

/** Builds the part of the client that submits and reads applications. */
export function createApplicationsClient(deps: ApplicationsDeps): ApplicationsClient {
  const { execute, now, learn } = deps;

  async function get(id: string, { signal }: CallOptions = {}): Promise<Application> {
    const path = `/applications/${encodeURIComponent(id)}`;
    const route = { kind: 'read_application' } as const;
    const execution = await execute({ method: 'GET', path, route, isExpected: isApplication, signal });
    return answerOf(execution).json as Application;
  }

  function list(options: ApplicationListOptions = {}): Listing<Application> {
    const route = { kind: 'list_applications' } as const;
    return createListing(execute, { path: '/applications', route, status: options.status }, options);
  }

  const submitter = createSubmitter({
    ...deps,
    findApplication: (id, signal) => get(id, signal === undefined ? {} : { signal }),
  });
  return {
    submit: async (submission, { companyId, signal } = {}) => {
      if (companyId !== undefined) learn(submission.jobId, companyId);
      return submitter.submit(submission, signal);
    },
    resumePending: ({ signal } = {}) => submitter.resumePending(signal),
    list,
    get,
    sync: createSync({
      list,
      now,
      instantsOf: ({ submittedAt, lastStatusChangeAt }) => [submittedAt, lastStatusChangeAt],
    }),
  };
}

function isApplication({ json }: Answer): boolean {
  return isRecord(json) && typeof json.id === 'string' && typeof json.jobId === 'string';
}
