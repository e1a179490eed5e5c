import type { ApplicationId, KeyId, PartnerId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import type { RequestRecord } from '../../domain/request-log.js';
import type { Instant } from '../../domain/time.js';
import type { PageOptions } from '../page-cursor.js';
import type { RequestRefusal } from './request-rules.js';

/** Selects requests: of one key, partner or application, or all. Newest first. */
export interface RequestFilter extends PageOptions {
  readonly keyId?: KeyId | undefined;
  readonly partnerId?: PartnerId | undefined;
  /** The requests that created the application, repeated its reply, or were refused as its duplicate. */
  readonly applicationId?: ApplicationId | undefined;
  /** The earliest request, inclusive. */
  readonly since?: Instant | undefined;
  /** The end of the time, exclusive. */
  readonly until?: Instant | undefined;
  /** Default: false. */
  readonly onlyErrors?: boolean | undefined;
}

/** A request in the log, with the names that belong to its key. They are null for a request without a valid key. */
export interface LoggedRequest extends RequestRecord {
  readonly partnerId: PartnerId | null;
  readonly partnerName: string | null;
  readonly environment: Environment | null;
  /** The partner's name with the environment of the key, such as `Acme ATS (production)`. */
  readonly keyLabel: string | null;
}

/** A request with an explanation. */
export interface ExplainedRequest extends LoggedRequest {
  /** Null if the request succeeded. */
  readonly refusal: RequestRefusal | null;
  /**
   * The id of the request whose reply this one repeats. Null if it repeats none, or if that request is not in the log,
   * for example because its reply was lost with 503.
   */
  readonly repeats: string | null;
}

/** Selects the counters of a key. */
export interface RequestReadFilter extends PageOptions {
  readonly keyId: KeyId;
}
