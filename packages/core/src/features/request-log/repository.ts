import type { RequestRoute } from '../../domain/answered-request.js';
import type { ApplicationId, JobId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { ListPage } from '../../ports/repositories/partners.js';
import type { RequestReads, RequestRecord } from './rules.js';

/** The key, the application, the job or the error code of the requests to list. */
export type RequestScope =
  | { readonly keyId: KeyId }
  | { readonly applicationId: ApplicationId }
  | { readonly jobId: JobId }
  | { readonly code: string };

/** A list continues after this request, newest first. */
export type RequestPosition = Pick<RequestRecord, 'at' | 'requestId'>;

/** A list continues after these reads, newest first. */
export type RequestReadsPosition = Pick<RequestReads, 'minute' | 'route'>;

/** Selects requests. */
export interface RequestListPage extends ListPage<RequestPosition> {
  /** Null for all requests. */
  readonly scope: RequestScope | null;
  readonly onlyErrors: boolean;
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive. Null for no end. */
  readonly until: Instant | null;
}

/** Stores the request log. A power failure may lose the last writes. */
export interface RequestRepository {
  /**
   * Adds requests. If a request exists already, replaces its `count` and `lastAt`. A write with an unknown result can
   * therefore be repeated. A batch must contain each request once.
   */
  add(requests: readonly RequestRecord[]): Promise<void>;
  /** Adds to the counts of each key, route and minute. A batch must contain each combination once. */
  addReads(reads: readonly RequestReads[]): Promise<void>;
  find(requestId: string): Promise<RequestRecord | null>;
  /** Returns the oldest request that succeeded for an application: its submission, if that is still in the log. */
  findOldest(applicationId: ApplicationId): Promise<RequestRecord | null>;
  /** Newest first. */
  list(page: RequestListPage): Promise<readonly RequestRecord[]>;
  /** Returns the last minute with reads of a key on a route. */
  findLastReads(keyId: KeyId, route: RequestRoute): Promise<RequestReads | null>;
  /** Returns the first minute whose reads covered a change of the key, or null. */
  findCoveringReads(keyId: KeyId, route: RequestRoute, changedAt: Instant): Promise<RequestReads | null>;
  /** Newest first. */
  listReads(
    page: ListPage<RequestReadsPosition> & { readonly keyId: KeyId },
  ): Promise<readonly RequestReads[]>;
  /** Deletes requests that were answered before `before`, at most `limit` errors and `limit` others. */
  sweep(before: Instant, limit: number): Promise<number>;
  /** Deletes reads of minutes that ended before `before`. */
  sweepReads(before: Instant, limit: number): Promise<number>;
}
