import { type CallOptions, readCall } from './call-options.js';
import { answerOf } from './execute.js';
import type { JobsDeps } from './jobs.js';
import { createListing, type Listing, type ListOptions } from './listing.js';
import type { SubmissionStore } from './submission-store.js';
import { type Abandoned, createSubmitter, type Resumed, type Submitted } from './submit/submitter.js';
import { createSync, type SyncOptions, type SyncReport } from './sync.js';
import type { Application, ApplicationStatus, NewSubmission } from './wire.js';
import { APPLICATION_SHAPE, problemWith } from './wire-shapes.js';

/** Options of `submit`. */
export interface SubmitOptions extends CallOptions {
  /** The job's company, whose jobs share a rate limit. Not needed for jobs that the client has listed or synced. */
  readonly companyId?: string | undefined;
  /**
   * Gives up other content that is pending under this `sourceApplicationId`, as `abandon` does, and sends this one in its
   * place. If the old content arrives late after all, the service answers `DUPLICATE_SOURCE_APPLICATION_ID`.
   */
  readonly replace?: boolean | undefined;
}

/** Filters of a list of applications. */
export interface ApplicationListOptions extends ListOptions {
  readonly status?: ApplicationStatus | undefined;
}

/** The applications of your key. */
export interface ApplicationsClient {
  /**
   * Submits a candidate exactly once, however often you call it. Every attempt sends the same bytes and
   * idempotency key, even after a restart. Waits for rate limits and retries.
   * Contract: 6, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
   * @throws PartnerApiError if the service refused it. Correct it and submit it again under the same
   *   `sourceApplicationId`. For `DUPLICATE_SOURCE_APPLICATION_ID`, `applicationId` names the earlier
   *   application.
   * @throws SubmissionPendingError if the outcome is unknown. **This is not a refusal.**
   * @throws SubmissionConflictError if the store has different content under this `sourceApplicationId`.
   * @throws TypeError if `sourceApplicationId` is missing.
   * @throws the store's error if it cannot add the record. Nothing was sent.
   * @throws the signal's reason. The submission stays pending.
   * @example
   * const { application } = await client.applications.submit({
   *   sourceApplicationId: 'ats-4711',
   *   jobId: 'job_1',
   *   candidate: { firstName: 'Ada', lastName: 'Reyes', email: 'ada@example.com', phone: '+17755550123' },
   *   consentToContact: true,
   * });
   * console.log(application.id);
   */
  submit(submission: NewSubmission, options?: SubmitOptions): Promise<Submitted>;
  /**
   * Continues all pending submissions, and gives the result of each as it comes. Call it at start, and from time to time.
   * Does not throw if one fails. After three in a row without an answer it ends with the kind `stopped`.
   * @example
   * for await (const resumed of client.applications.resumePending()) {
   *   console.log(resumed.sourceApplicationId, resumed.kind);
   * }
   */
  resumePending(options?: CallOptions): AsyncIterable<Resumed>;
  /**
   * Gives up a pending submission, such as one that a gateway refuses each time. Looks for its application in the list.
   * If it is there, saves it. Otherwise removes the record with the candidate's personal data. A request that is still
   * under way may arrive later.
   * @throws PartnerApiError or PartnerConnectionError if the list cannot be read, or the store's error. The record stays.
   * @example
   * const { kind } = await client.applications.abandon('ats-4711');
   * console.log(kind === 'submitted' ? 'it had arrived' : 'removed');
   */
  abandon(sourceApplicationId: string, options?: CallOptions): Promise<Abandoned>;
  /**
   * Lists applications. Contract: 5.2, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
   * @example
   * for await (const { id, currentStage } of client.applications.list({ status: 'in_progress' })) {
   *   console.log(id, currentStage);
   * }
   */
  list(options?: ApplicationListOptions): Listing<Application>;
  /**
   * Returns one application. Contract: 5.3, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
   * @throws PartnerApiError with `APPLICATION_NOT_FOUND` if your key has no such application.
   * @throws PartnerConnectionError
   * @example
   * const application = await client.applications.get('ej_app_1');
   * console.log(application.status, application.currentStage);
   */
  get(id: string, options?: CallOptions): Promise<Application>;
  /**
   * Brings your copy up to date, including stage moves.
   * @example
   * const store = createMemorySyncStore<Application>();
   * const { rows } = await client.applications.sync({ store });
   * console.log(`${rows} rows`);
   */
  sync(options: SyncOptions<Application>): Promise<SyncReport>;
}

export interface ApplicationsDeps extends JobsDeps {
  readonly store: SubmissionStore;
  readonly scope: string;
}

export function createApplicationsClient(deps: ApplicationsDeps): ApplicationsClient {
  const { execute, now, learn } = deps;

  async function get(id: string, options?: CallOptions): Promise<Application> {
    const path = `/applications/${encodeURIComponent(id)}`;
    const route = { kind: 'read_application' } as const;
    const execution = await execute({
      method: 'GET',
      path,
      route,
      problemOf: ({ json }) => problemWith(json, APPLICATION_SHAPE),
      call: readCall(options),
    });
    return answerOf(execution).json as Application;
  }

  function list(options: ApplicationListOptions = {}): Listing<Application> {
    const route = { kind: 'list_applications' } as const;
    const filters = { status: options.status };
    return createListing(
      execute,
      { path: '/applications', route, shape: APPLICATION_SHAPE, filters },
      options,
    );
  }

  const submitter = createSubmitter({ ...deps, findApplication: get, listApplications: list });
  return {
    submit: async (submission, { companyId, replace = false, ...options } = {}) => {
      const call = readCall(options);
      if (companyId !== undefined) learn(submission.jobId, companyId);
      return submitter.submit(submission, { replace, call });
    },
    abandon: async (sourceApplicationId, options) =>
      submitter.abandon(sourceApplicationId, readCall(options)),
    resumePending: (options) => submitter.resumePending(readCall(options)),
    list,
    get,
    sync: createSync({ list, now }),
  };
}
