import type { Runner } from '../scope.js';
import { findRequest } from './find-request.js';
import { listReads, listRequests } from './list-requests.js';
import type {
  ExplainedRequest,
  RequestFilter,
  RequestPage,
  RequestReadFilter,
  RequestReadPage,
} from './logged-request.js';

/** A request by its `X-Request-Id`. */
export interface LoggedRequestTarget {
  readonly requestId: string;
}

/**
 * Reads the request log. It has a row for each POST and each error, and counters of successful reads. Of a flood, it has
 * the first 100 rows per key, error code (or success) and minute, then one row with a count. The log of the last second
 * may be in the memory of another process. See docs/requests.md.
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
  find(target: LoggedRequestTarget): Promise<ExplainedRequest | null>;
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
