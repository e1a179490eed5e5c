import type {
  Application,
  ApplicationRecord,
  ApplicationStatus,
  Candidate,
  ResumeState,
  UndecidedStatus,
} from '../../domain/application.js';
import type { ApplicationId, CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { LastNameRange } from '../../domain/last-name-key.js';
import type { FeedPage, ListQuery } from '../../domain/page.js';
import type { Instant } from '../../domain/time.js';
import type { TextMatch } from './partners.js';

/** The key, the company or the job whose applications are listed. */
export type ApplicationScope =
  | { readonly keyId: KeyId }
  | { readonly companyId: CompanyId }
  | { readonly jobId: JobId };

/** The application after which a list continues. Lists begin with the newest one. */
export type NewestPosition = Pick<Application, 'submittedAt' | 'id'>;

/** The erased application after which a list continues. */
export interface ErasedPosition {
  readonly erasedAt: Instant;
  readonly id: ApplicationId;
}

/** The application after which the list of unchanged ones continues. */
export type UnchangedPosition = Pick<Application, 'changedAt' | 'id'>;

/** The application after which the list of failed résumés continues. */
export interface FailedResumePosition {
  readonly failedAt: Instant;
  readonly id: ApplicationId;
}

/** The name of a candidate, with the application's key. */
export type CandidateName = Pick<Application, 'id' | 'keyId'> & Pick<Candidate, 'firstName' | 'lastName'>;

/** Stores applications. */
export interface ApplicationRepository {
  findOwned(
    pairs: readonly { readonly keyId: KeyId; readonly id: string }[],
  ): Promise<readonly (Application | null)[]>;
  findBySourceIds(
    pairs: readonly { readonly keyId: KeyId; readonly sourceApplicationId: string }[],
  ): Promise<readonly (Pick<Application, 'id'> | null)[]>;
  /** Finds applications without waiting for locks. */
  find(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /** Finds applications and locks their rows in ascending order of id until the transaction ends. */
  findForUpdate(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /**
   * Like `findForUpdate`, but also waits for transactions that found the applications with `findKept`, at most about
   * ten seconds.
   * @throws StorageUnavailable if the applications are still locked after this time. Nothing was changed.
   */
  findToErase(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /**
   * Finds applications, in ascending order of id. Waits for transactions that called `findToErase`. Until this
   * transaction ends, `findToErase` waits, but moves and decisions do not.
   */
  findKept(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /** Replaces `status`, `stage`, `submittedAt`, `lastStatusChangeAt` and `changedAt`. */
  saveProgress(applications: readonly Application[]): Promise<void>;
  saveResume(id: ApplicationId, resume: ResumeState): Promise<void>;
  page(query: ListQuery): Promise<FeedPage<Application>>;
  /**
   * Lists applications, newest first. A null `scope` means all, and then `status` must be null. `from` is
   * inclusive.
   */
  listNewest(filter: {
    readonly scope: ApplicationScope | null;
    readonly status?: ApplicationStatus | null;
    readonly from?: Instant;
    readonly after?: NewestPosition | null;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[]>;
  /** Lists a key's applications that changed after an instant, in the order of the changes. */
  listChanges(filter: {
    readonly keyId: KeyId;
    readonly after: Instant;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[]>;
  /** Lists the applications of all keys that have this id at the partner, by key. */
  listBySourceId(filter: {
    readonly sourceApplicationId: string;
    readonly after?: KeyId | null;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[]>;
  /**
   * Lists applications by last name. Returns null if the application of `after` no longer exists, or no longer
   * has a last name in the range.
   */
  listByLastName(filter: {
    readonly range: LastNameRange;
    readonly after?: ApplicationId | null;
    /** The last-name key of `after`, if the caller knows it, so that the storage need not read that application. */
    readonly anchorKey?: string;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[] | null>;
  /**
   * Lists the names of candidates by the key of their last name, for searches. Returns at most `limit` rows, in any
   * order: for `whole`, those with the greatest ids.
   */
  listNames(filter: {
    readonly lastNameKey: string;
    readonly match: TextMatch;
    /** At most 5,000. */
    readonly limit: number;
  }): Promise<readonly CandidateName[]>;
  /** Finds candidates by the last digits of their phone number, for searches. Returns at most `limit` rows, in any order. */
  listPhoneEnds(filter: {
    readonly digits: string;
    /** At most 5,000. */
    readonly limit: number;
  }): Promise<readonly Pick<CandidateName, 'id' | 'keyId'>[]>;
  /** Lists the applications that were erased at `from` or later, in the order of their erasure. */
  listErased(filter: {
    readonly from: Instant;
    readonly after?: ErasedPosition | null;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[]>;
  /**
   * Lists the applications of all keys without a decision that have not changed since `before`, longest unchanged first.
   * Leaves out erased candidates. A null `status` means both `received` and `in_progress`.
   */
  listUnchanged(filter: {
    readonly status: UndecidedStatus | null;
    readonly before: Instant;
    readonly after?: UnchangedPosition | null;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[]>;
  /** Lists the applications of all keys without a decision whose résumé failed, newest failure first. */
  listFailedResumes(filter: {
    readonly after?: FailedResumePosition | null;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[]>;
  /**
   * Stores the keys for `listByLastName` in rows that older releases wrote without them. Fills in at most `limit` rows
   * and returns their number.
   */
  fillLastNameKeys(limit: number): Promise<number>;
}

/** Which applications of a candidate to list. Lists are in the order of ids. */
export interface CandidateRange {
  /** The list continues after this application. */
  readonly after: ApplicationId | null;
  readonly limit: number;
}
