import type { ApplicationId, KeyId, PartnerId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import type { RequestReads, RequestRecord } from '../../domain/request-log.js';
import type { Instant } from '../../domain/time.js';
import type { PageOptions } from '../page-cursor.js';
import type { Runner } from '../scope.js';
import { findRequest } from './find-request.js';
import { listReads, listRequests } from './list-requests.js';
import type { RequestRefusal } from './request-rules.js';

/** Selects requests: of one key, partner or application, or all. Newest first. */
export interface RequestFilter extends PageOptions {
  readonly keyId?: KeyId;
  readonly partnerId?: PartnerId;
  /** The requests that created the application, repeated its reply, or were refused as its duplicate. */
  readonly applicationId?: ApplicationId;
  /** The earliest request, inclusive. */
  readonly since?: Instant;
  /** The end of the time, exclusive. */
  readonly until?: Instant;
  /** Default: false. */
  readonly onlyErrors?: boolean;
}

/** A request in the log, with the names that belong to its key. They are null for a request without a valid key. */
export interface LoggedRequest extends RequestRecord {
  readonly partnerId: PartnerId | null;
  readonly partnerName: string | null;
  readonly environment: Environment | null;
  /** The partner's name with the environment of the key, such as `Acme ATS (production)`. */
  readonly keyLabel: string | null;
}

/** A page of requests. */
export interface RequestPage {
  readonly requests: readonly LoggedRequest[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** A request by its `X-Request-Id`. */
export interface RequestTarget {
  readonly requestId: string;
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

/** A page of counters of successful reads. */
export interface RequestReadPage {
  /** For each route that the key has read: the last minute with reads. */
  readonly last: readonly RequestReads[];
  /** A counter for each route and minute, newest first. */
  readonly reads: readonly RequestReads[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** Selects the counters of a key. */
export interface RequestReadFilter extends PageOptions {
  readonly keyId: KeyId;
}

/**
 * Reads the request log. It has a row for each POST and each error, and counters of successful reads. Of a flood, it has
 * the first 100 rows per key, error code and minute, then one row with a count. The log of the last second may be in the
 * memory of another process. See docs/requests.md.
 */
export interface RequestCommands {
  /**
   * Returns a page of requests, newest first. Filter by at most one of `keyId`, `partnerId` and `applicationId`.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const { requests } = await operator.requests.list({ keyId, onlyErrors: true });
   */
  list(filter?: RequestFilter): Promise<RequestPage>;
  /**
   * Returns a request with the rule that refused it and how to fix that. Null if the log does not have the request: it
   * was a successful read, was counted in a flood, is older than `retention.requestsMs`, or never came.
   * @example
   * const request = await operator.requests.find({ requestId });
   * if (request?.refusal) console.log(request.code, request.refusal.rule, request.refusal.fix);
   */
  find(target: RequestTarget): Promise<ExplainedRequest | null>;
  /**
   * Returns how often a key has read each route, by minute, newest first.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const { last } = await operator.requests.reads({ keyId });
   * for (const { route, lastAt } of last) console.log(route, new Date(lastAt).toISOString());
   */
  reads(filter: RequestReadFilter): Promise<RequestReadPage>;
}

/** @param flush - writes what this process has in memory. */
export function requestCommands({ read }: Runner, flush: () => Promise<void>): RequestCommands {
  return {
    list: async (filter) => {
      await flush();
      return listRequests(read, filter ?? {});
    },
    find: async ({ requestId }) => {
      await flush();
      return findRequest(read, requestId);
    },
    reads: async (filter) => {
      await flush();
      return listReads(read, filter);
    },
  };
}
