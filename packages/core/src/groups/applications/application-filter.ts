import type { ApplicationStatus } from '../../domain/application.js';
import type { CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { PageOptions } from '../../operator/page-cursor.js';

/** Selects applications; filters combine only as each of them says, and other combinations are refused. */
export interface ApplicationFilter extends PageOptions {
  /** The partner's own id of the application, exactly, at all partners; only without other filters. */
  readonly sourceApplicationId?: string | undefined;
  /**
   * The beginning of the last name, 1 to 60 characters, in the order of names; only without other filters. Case, accents
   * and repeated blanks are ignored.
   */
  readonly lastNamePrefix?: string | undefined;
  /**
   * In any spelling of the mailbox. An address with another tag, such as `+jobs`, is another mailbox. Selects the
   * applications of a person, in the order of their ids, without erased ones; only without other filters.
   */
  readonly email?: string | undefined;
  /** In E.164 format, or a national number with `country`; another text is `INVALID_INPUT`. Selects like `email`. */
  readonly phone?: string | undefined;
  /** An ISO 3166 alpha-2 code or English name, for a `phone` without a country code. */
  readonly country?: string | undefined;
  /**
   * Only submitted with this key, newest first; with or without `status` and `submittedSince`, or with `changedSince`;
   * default: with all.
   */
  readonly keyId?: KeyId | undefined;
  /**
   * Only submitted to this company, even if the job has moved to another one, newest first; with or without `status` and
   * `submittedSince`; default: to all.
   */
  readonly companyId?: CompanyId | undefined;
  /** Only to this job, newest first; with or without `status` and `submittedSince`; default: to all. */
  readonly jobId?: JobId | undefined;
  /** Only in this status; only with `keyId`, `companyId`, `jobId` or `unchangedSince`; default: all. */
  readonly status?: ApplicationStatus | undefined;
  /** The earliest submission, inclusive; only with `keyId`, `companyId` or `jobId`; default: none. */
  readonly submittedSince?: Instant | undefined;
  /** The earliest change, inclusive, compared with `changedAt`; only with `keyId`, oldest change first. */
  readonly changedSince?: Instant | undefined;
  /**
   * Only applications of all keys that wait for a decision and whose `changedAt` is before this instant, longest unchanged
   * first; with or without `status`; default: all. Leaves out erased candidates. Only here, the value may be another one for the next page.
   */
  readonly unchangedSince?: Instant | undefined;
  /**
   * Whether to select only applications of all keys that wait for a decision and whose résumé failed, newest failure
   * first, without other filters; default: false.
   */
  readonly onlyFailedResumes?: boolean | undefined;
  /** The earliest erasure, inclusive, oldest erasure first, without other filters; default: erased or not. */
  readonly erasedSince?: Instant | undefined;
}
