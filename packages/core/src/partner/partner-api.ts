import type { Application } from '../domain/application.js';
import type { FieldError } from '../domain/field-error.js';
import type { StoredReply } from '../domain/idempotency.js';
import type { KeyId } from '../domain/ids.js';
import type { VisibleJob } from '../domain/job.js';
import type { FeedPage, ListQuery } from '../domain/page.js';
import type { PartnerKey } from '../domain/partner-key.js';
import type { BucketKind, ChargeOutcome, RateState } from '../domain/rate-limit.js';
import type { Submission } from '../domain/submission.js';
import type { WireError } from '../errors.js';

/** What a partner key may do: the use cases behind the four endpoints. */
export interface PartnerApi {
  /** Finds who is calling, and whether they may. Counts a read in its bucket; authentication comes before all else. */
  admit(call: AdmitCall): Promise<Admission>;
  /** Counts a request that is refused before a bucket of its own could count it. */
  chargeGuard(key: PartnerKey): Promise<Pick<ChargeOutcome, 'allowed' | 'state'>>;
  listJobs(query: ListQuery): Promise<FeedPage<VisibleJob>>;
  listApplications(query: ListQuery): Promise<FeedPage<Application>>;
  /** The key's own application, or null. */
  readApplication(call: { readonly keyId: KeyId; readonly id: string }): Promise<Application | null>;
  /** Replays, refuses or accepts one submission. */
  submitApplication(call: SubmitCall): Promise<SubmitOutcome>;
}

/** The buckets that reading requests are counted in. */
export type ReadBucket = Extract<BucketKind, 'read_application' | 'list_applications' | 'list_jobs'>;

/** A request that asks to be let in. */
export interface AdmitCall {
  /** The values of all `Authorization` header fields. */
  readonly authorization: readonly string[];
  readonly clientAddress: string;
  /** What the request is counted in at once; null if it is counted later, or as refused. */
  readonly bucket: ReadBucket | null;
  /** The id of the application that the request asks for, if it asks for one. */
  readonly applicationId: string | null;
}

/** What became of it. `rate` is the bucket that it was counted in, or would be. */
export type Admission =
  | {
      readonly kind: 'admitted';
      readonly key: PartnerKey;
      readonly rate: RateState;
      /** What the request asks for, or null if the key has none such. Undefined if it is yet to be read. */
      readonly application: Application | null | undefined;
    }
  | { readonly kind: 'unauthorized'; readonly rate: RateState }
  | {
      readonly kind: 'limited';
      readonly rate: RateState;
      /** The key that a bucket of its own has refused before in this window: its guard is charged. Null otherwise. */
      readonly repeatedBy: PartnerKey | null;
    };

/** A request body after it was read as JSON and checked field by field. */
export type ParsedSubmission =
  | { readonly kind: 'valid'; readonly submission: Submission }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** What is kept of a request body: enough to recognise it, and what it says. */
export interface SubmittedBody {
  /** Of the raw bytes. */
  readonly fingerprint: string;
  /** Of the JSON, whatever its key order and white space; empty if the body is not JSON. */
  readonly jsonFingerprint: string;
  /** Whether it has more bytes than a candidate and a long form take. */
  readonly isLarge: boolean;
  readonly parsed: ParsedSubmission;
}

/** One `POST /applications` behind its header checks. */
export interface SubmitCall extends SubmittedBody {
  readonly key: PartnerKey;
  /** A UUID v4 in lower case. */
  readonly idempotencyKey: string;
}

/** What became of a submission. `rate` is the bucket that it was counted in, or would be. */
export type SubmitOutcome =
  | { readonly kind: 'created'; readonly reply: StoredReply; readonly rate: RateState }
  | { readonly kind: 'replayed'; readonly reply: StoredReply; readonly rate: RateState }
  | {
      readonly kind: 'refused';
      readonly error: WireError;
      readonly rate: RateState;
      /** Set if the submission limit has refused another request before in this window. */
      readonly isRepeated?: boolean;
    };
