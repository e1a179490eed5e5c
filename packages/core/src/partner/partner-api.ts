import type { Application } from '../domain/application.js';
import type { FieldError } from '../domain/field-error.js';
import type { StoredReply } from '../domain/idempotency.js';
import type { ApplicationId, KeyId } from '../domain/ids.js';
import type { VisibleJob } from '../domain/job.js';
import type { EventPage, EventQuery, FeedPage, ListQuery } from '../domain/page.js';
import type { PartnerKey, UsedKey } from '../domain/partner-key.js';
import type { ChargeOutcome, KeyBucketKind, RateState } from '../domain/rate-limit.js';
import type { Submission } from '../domain/submission.js';
import type { WireError } from '../errors.js';

export interface PartnerApi {
  /** Authenticates a request. Counts a request that reads; a later step counts submissions. */
  admit(call: AdmitCall): Promise<Admission>;
  /** Counts a request in the key's guard bucket, if it was refused before another bucket counted it. */
  chargeGuard(key: PartnerKey): Promise<Pick<ChargeOutcome, 'allowed' | 'state'>>;
  listJobs(query: ListQuery): Promise<FeedPage<VisibleJob>>;
  listApplications(query: ListQuery): Promise<FeedPage<Application>>;
  /** Returns a page of the key's event log. Makes the log record every event, if it did not yet. */
  listEvents(query: EventQuery): Promise<EventPage>;
  readApplication(call: { readonly keyId: KeyId; readonly id: string }): Promise<Application | null>;
  submitApplication(call: SubmitCall): Promise<SubmitOutcome>;
}

export type ReadBucket = Exclude<KeyBucketKind, 'guard'>;

export interface AdmitCall {
  readonly authorization: readonly string[];
  readonly clientAddress: string;
  /** The bucket that counts the request. Null if a later step counts it. */
  readonly bucket: ReadBucket | null;
  readonly applicationId: string | null;
}

/** `rate` is the state of the bucket that counted the request, or that would have counted it. */
export type Admission =
  | {
      readonly kind: 'admitted';
      readonly key: UsedKey;
      readonly rate: RateState;
      /** Null if the application does not exist. Undefined if it was not read yet. */
      readonly application: Application | null | undefined;
    }
  | { readonly kind: 'unauthorized'; readonly rate: RateState }
  | {
      readonly kind: 'limited';
      readonly rate: RateState;
      /**
       * The key, if the bucket already refused a request in this window. The caller then counts the request in the
       * guard bucket of this key.
       */
      readonly repeatedBy: PartnerKey | null;
      /** The key of the request, if it is valid. */
      readonly keyId?: KeyId | null;
    };

export type ParsedSubmission =
  | { readonly kind: 'valid'; readonly submission: Submission }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

export interface SubmittedBody {
  readonly fingerprint: string;
  /** A hash of the JSON, without regard to key order and white space. Empty if the body is not JSON. */
  readonly jsonFingerprint: string;
  readonly isLarge: boolean;
  readonly parsed: ParsedSubmission;
}

export interface SubmitCall extends SubmittedBody {
  readonly key: UsedKey;
  readonly idempotencyKey: string;
}

export type SubmitOutcome =
  | {
      readonly kind: 'created' | 'replayed';
      readonly applicationId: ApplicationId;
      readonly reply: StoredReply;
      readonly rate: RateState;
    }
  /** The secret has ended since the request was admitted. Nothing was counted. */
  | { readonly kind: 'unauthorized' }
  | {
      readonly kind: 'refused';
      readonly error: WireError;
      readonly rate: RateState;
      /** True if the submission limit already refused a request in this window. */
      readonly isRepeated?: boolean;
    };
