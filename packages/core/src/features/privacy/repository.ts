import type { ApplicationRecord } from '../../domain/application.js';
import type { StoredDelivery } from '../../domain/delivery.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { IdempotencyRecord } from '../../domain/idempotency.js';
import type { ApplicationId, CompanyId, KeyId } from '../../domain/ids.js';
import type { ResumeFileTask } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';
import type { CandidateRange } from '../../ports/repositories/applications.js';
import type { ListedEntry } from '../inbox/rules.js';
import type { ErasureCounts } from './rules.js';

/** An application that a walk passes. */
export type WalkedApplication = Pick<
  ApplicationRecord,
  'id' | 'sourceApplicationId' | 'submittedAt' | 'changedAt' | 'erasedAt'
>;

/** Where a walk continues. */
export type WalkPosition = Pick<ApplicationRecord, 'id' | 'submittedAt'>;

/** A range of applications, in the order of their submission. */
export interface WalkRange {
  /** Null for all companies. */
  readonly companyId: CompanyId | null;
  /** Exclusive. */
  readonly submittedBefore: Instant;
  readonly after: WalkPosition | null;
  readonly limit: number;
}

/** A résumé download that was cancelled. */
export interface CancelledResumeFile {
  readonly applicationId: ApplicationId;
  /** Until this instant, a worker may still store the file. 0 if no worker has the task. */
  readonly leaseUntil: Instant;
}

/** An application whose source id is removed, and its new stamp. */
export type ClearedSourceId = Pick<ApplicationRecord, 'id' | 'changedAt'>;

/** Names a delivery. */
export type DeliveryKey = Pick<StoredDelivery, 'keyId' | 'eventId'>;

/** Finds and erases what is stored about candidates. */
export interface CandidateRepository {
  /** Lists applications by e-mail address, in any spelling with the same `emailKey`. Omits erased applications. */
  listByEmail(email: string, range: CandidateRange): Promise<readonly ApplicationRecord[]>;
  /** Lists applications by phone number in E.164 format. Omits erased applications. */
  listByPhone(phone: string, range: CandidateRange): Promise<readonly ApplicationRecord[]>;
  /**
   * Lists applications that older releases wrote without an `emailKey`, by the spelling of the e-mail address. Ignores
   * the case of ASCII letters. PostgreSQL also ignores that of other letters, by the collation of the database.
   */
  listBySpelling(email: string, range: CandidateRange): Promise<readonly ApplicationRecord[]>;
  /**
   * Stores the keys for `listByEmail` in rows that older releases wrote without them. Fills in at most `limit` rows and
   * returns their number.
   */
  fillEmailKeys(limit: number): Promise<number>;
  /** Reads a range of applications, including erased ones. */
  walk(range: WalkRange): Promise<readonly WalkedApplication[]>;
  /** Finds the idempotency records of submissions, including expired ones. */
  findRecords(applications: readonly ApplicationRecord[]): Promise<readonly (IdempotencyRecord | null)[]>;
  findEvents(
    stamps: readonly { readonly keyId: KeyId; readonly at: Instant }[],
  ): Promise<readonly (PartnerEvent | null)[]>;
  findResumeFiles(ids: readonly ApplicationId[]): Promise<readonly (ResumeFileTask | null)[]>;
  /** Finds the inbox entries of applications that the host refused, or that wait behind those. */
  listPostponed(ids: readonly ApplicationId[]): Promise<readonly ListedEntry[]>;
  /** Deletes the tasks to download the résumés of applications. Waits for workers that record a result. */
  cancelResumeFiles(ids: readonly ApplicationId[]): Promise<readonly CancelledResumeFile[]>;
  /**
   * Replaces the candidate's data by empty values and sets `erasedAt`. Deletes the postponed inbox entries, and
   * returns the application of each. Lock the applications first.
   */
  erase(ids: readonly ApplicationId[], at: Instant): Promise<readonly ApplicationId[]>;
  /** Stores what was erased, for later runs of the erasure. */
  saveErasedCounts(
    erased: readonly { readonly id: ApplicationId; readonly counts: ErasureCounts }[],
  ): Promise<void>;
  /** Returns what was erased. Null for an application that was not erased, or by an older release. */
  findErasedCounts(ids: readonly ApplicationId[]): Promise<readonly (ErasureCounts | null)[]>;
  /** Sets source ids to null. The stamps belong to this transaction. */
  clearSourceIds(cleared: readonly ClearedSourceId[]): Promise<void>;
  saveReplies(records: readonly IdempotencyRecord[]): Promise<void>;
  saveBodies(events: readonly PartnerEvent[]): Promise<void>;
  /**
   * Removes the excerpts of responses from the deliveries of events and from their attempts. Returns the delivery of
   * each excerpt.
   */
  eraseExcerpts(deliveries: readonly DeliveryKey[]): Promise<readonly DeliveryKey[]>;
}
