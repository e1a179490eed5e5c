import { LOGGED_FIELDS } from '../../domain/answered-request.js';
import { FIELD_ERROR_CODES } from '../../domain/field-error.js';
import { WIRE_ERROR_CODES } from '../../domain/wire-errors.js';
import { type Claim, onKey } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import {
  flag,
  id,
  integer,
  oneOf,
  optional,
  optionalId,
  page,
  range,
  text,
} from '../../operator/command/fields.js';
import type { SeeCompanies } from '../../operator/command/gate-rule.js';
import { filter, markId, record } from '../../operator/command/input.js';
import type { Page } from '../../operator/page-cursor.js';
import type { ExplainedRequest, ListedRequest, RequestFilter, RequestReadFilter } from './find-request.js';
import { findRequest } from './find-request.js';
import { listReads, listRequests } from './list-requests.js';
import type { RequestReads } from './rules.js';

/**
 * Reads the request log. It has a row for each POST and each error, and counters of successful reads. During a flood,
 * it stores the first 100 rows per key, error code (or success) and minute. One more row counts the rest. The last
 * second of the log may still be in the memory of another process. See docs/requests.md.
 */
export interface RequestCommands {
  /**
   * Returns a page of the logged requests, newest first, 100 by default: none that was answered while the option
   * `requestLog` was off, and none that was deleted after `retention.requestsMs`. At most one of `keyId`, `partnerId` and `applicationId`
   * may be set, with or without the other filters. With `field`, `fieldCode`, a `status` below 400, or two of `jobId`, an owner,
   * and `code` or `status`, a page reads at most 5,000 rows: it may be empty and still have a `nextCursor`.
   * @example
   * const { items: requests } = await operator.requests.list({ jobId, field: 'candidate.email' });
   */
  list(filter?: RequestFilter): Promise<Page<ListedRequest>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { code } of operator.requests.each({ keyId, onlyErrors: true })) console.log(code);
   */
  each(filter?: RequestFilter): AsyncIterable<ListedRequest>;
  /**
   * Explains a request by its `X-Request-Id`, or returns null if the log does not have it: it was a successful read, was
   * counted in a flood, was answered while the option `requestLog` was off, was deleted after `retention.requestsMs`, or
   * never arrived. If it was refused, `refusal` has the rule that refused it and how to fix that.
   * @example
   * const request = await operator.requests.find({ id: requestId });
   * if (request?.refusal) console.log(request.code, request.refusal.rule, request.refusal.fix);
   */
  find(target: { readonly id: string }): Promise<ExplainedRequest | null>;
  /**
   * Returns a page of the counts of a key's reads, by route and minute, newest first, 100 by default; with `onlyLast`,
   * only the last count of each list.
   * @example
   * const { items } = await operator.requests.listReads({ keyId });
   * const counts = items.map(({ route, minute, count }) => [route, new Date(minute), count]);
   */
  listReads(filter: RequestReadFilter): Promise<Page<RequestReads>>;
  /**
   * Iterates over the rows of `listReads` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { route, count } of operator.requests.eachRead({ keyId })) console.log(route, count);
   */
  eachRead(filter: RequestReadFilter): AsyncIterable<RequestReads>;
}

export const requestDefinitions: Definitions<RequestCommands> = {
  list: {
    summary: "Lists partners' submissions and failed requests, newest first",
    input: filter({
      keyId: optionalId('key'),
      partnerId: optionalId('partner'),
      applicationId: optionalId('application', 'Only those for this application'),
      jobId: optionalId('job', 'Only refused submissions to this job'),
      status: optional(integer(100, 599), 'Only requests with this status'),
      code: optional(oneOf(WIRE_ERROR_CODES), 'Only requests that were refused with this error code'),
      field: optional(oneOf(LOGGED_FIELDS), 'Only requests that this field failed'),
      fieldCode: optional(oneOf(FIELD_ERROR_CODES), 'Only requests in which a field failed with this code'),
      onlyErrors: optional(flag, 'Only failed requests'),
      ...range,
      ...page,
    }),
    right: 'requests:read',
    claims: (asked) => [claimOf(asked)],
    gate: {
      narrow: async (found, _input, sees) => ({ ...found, items: await narrowRequests(found.items, sees) }),
    },
    run: async ({ read, flush }, asked) => {
      await flush();
      return listRequests(read, asked);
    },
  },
  find: {
    summary: 'Explains a request by its X-Request-Id',
    input: record({ id: markId(text()) }),
    right: 'requests:read',
    claims: ({ id: request }) => [{ on: 'request', id: request }],
    gate: {
      narrow: async (request, _input, sees) =>
        request && ((await narrowRequests([request], sees))[0] ?? null),
    },
    run: async ({ read, flush }, { id: requestId }) => {
      await flush();
      return findRequest(read, requestId);
    },
  },
  listReads: {
    summary: 'Counts the successful reads of a key, by route and minute',
    input: record({
      keyId: id('key'),
      onlyLast: optional(flag, 'Only the last count of each route'),
      ...page,
    }),
    right: 'requests:read',
    claims: onKey,
    run: async ({ read, flush }, asked) => {
      await flush();
      return listReads(read, asked);
    },
  },
};

/** Belongs to the key, the partner or the application of a filter. */
function claimOf({ keyId, partnerId, applicationId }: RequestFilter): Claim {
  if (keyId !== undefined) return { on: 'key', id: keyId };
  if (partnerId !== undefined) return { on: 'partner', id: partnerId };
  return applicationId === undefined ? { on: 'host' } : { on: 'application', id: applicationId };
}

/** Hides the titles and the companies of jobs whose company the partners do not see. A partner may have written any job's id. */
async function narrowRequests<Row extends Pick<ListedRequest, 'jobTitle' | 'companyId' | 'companyName'>>(
  rows: readonly Row[],
  sees: SeeCompanies,
): Promise<readonly Row[]> {
  const seen = await sees([...new Set(rows.flatMap(({ companyId }) => companyId ?? []))]);
  return rows.map((row) =>
    row.companyId !== null && seen.has(row.companyId)
      ? row
      : { ...row, jobTitle: null, companyId: null, companyName: null },
  );
}
