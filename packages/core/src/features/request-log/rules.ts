import type { LoggedField, LoggedFieldCode, ReadRange, RequestRoute } from '../../domain/answered-request.js';
import type { ApplicationId, JobId, KeyId } from '../../domain/ids.js';
import { DAY_MS, type Instant, MINUTE_MS } from '../../domain/time.js';

/** A request in the log. It contains no personal data: no value, no path, no header and no address. */
export interface RequestRecord {
  /** The `X-Request-Id` of the reply. The library creates it; a partner cannot choose it. */
  readonly requestId: string;
  /** When the request was answered. */
  readonly at: Instant;
  /** The key of the request; null without a valid one. */
  readonly keyId: KeyId | null;
  /**
   * A hash of the client's address if the request has no valid key; otherwise null. Each process has its own secret for
   * it, so the same client has another hash in another process and after a restart.
   */
  readonly client: string | null;
  /** One of HTTP's methods, or `_OTHER`. */
  readonly method: string;
  /** Null if the path is not a route of the API. */
  readonly route: RequestRoute | null;
  readonly status: number;
  /** The error code; null for a success. */
  readonly code: string | null;
  /**
   * The fields that failed, each with its code: `candidate.email: invalid_format`. At most 20. Answers to form questions
   * appear as `applicationFormAnswers.*`, the whole body as `body`, and a name that the API does not know as
   * `unknown_field`. For status 401, the only entry has no code, and says what is wrong with the header:
   * `Authorization.missing`, `Authorization.malformed` or `Authorization.unknown_key`.
   */
  readonly fields: readonly string[];
  /** How long the answer took, in milliseconds. */
  readonly durationMs: number;
  /** The application that was created, replayed, or found as a duplicate; otherwise null. */
  readonly applicationId: ApplicationId | null;
  /**
   * The job of a refused submission, as the partner wrote it; otherwise null. The job may not exist, and a text that
   * does not have the form of an id is left out.
   */
  readonly jobId: JobId | null;
  /** Whether the reply repeats the stored reply of an earlier request. */
  readonly isReplay: boolean;
  /**
   * How many requests the row stands for: 1, or more in the row for the rest of a flood. Such a row has the details of
   * the first of these requests.
   */
  readonly count: number;
  /** When the last of these requests was answered. */
  readonly lastAt: Instant;
}

/** The successful reads of a key on one route in one minute. */
export interface RequestReads {
  readonly keyId: KeyId;
  readonly route: RequestRoute;
  /** The start of the minute. */
  readonly minute: Instant;
  /** How many reads succeeded in the minute. */
  readonly count: number;
  /** The time of the last one. */
  readonly lastAt: Instant;
  /** The id of the last one, as in its header `X-Request-Id`. */
  readonly lastRequestId: string;
  /** The range that the reads of a list without filters covered; null if there was no such read. */
  readonly readRange: ReadRange | null;
}

/** How long the request log is kept by default, in milliseconds: partners ask about the last week. */
export const REQUESTS_KEPT_MS = 7 * DAY_MS;

/** Joins two ranges that touch. Otherwise returns the later one: the partner may have missed changes between them. */
export function joinReadRanges(first: ReadRange | null, second: ReadRange | null): ReadRange | null {
  if (first === null || second === null) return first ?? second;
  const isGap = first.after > second.through || second.after > first.through;
  if (isGap) return first.through > second.through ? first : second;
  return {
    after: Math.min(first.after, second.after),
    through: Math.max(first.through, second.through),
  };
}

export function minuteOf(at: Instant): Instant {
  return at - (at % MINUTE_MS);
}

/** Returns the name in an entry of the request log. */
export function fieldOfEntry(entry: string): string {
  const end = entry.indexOf(':');
  return end < 0 ? entry : entry.slice(0, end);
}

/** Returns whether a request failed by a field and a code. Either may be undefined. */
export function hasFailedBy(
  { fields }: Pick<RequestRecord, 'fields'>,
  field: LoggedField | undefined,
  code: LoggedFieldCode | undefined,
): boolean {
  return fields.some(
    (entry) =>
      (field === undefined || fieldOfEntry(entry) === field) &&
      (code === undefined || entry.endsWith(`: ${code}`)),
  );
}
