import type { ReadRange, RequestRoute } from '../domain/answered-request.js';
import type { ApplicationId, JobId, KeyId } from '../domain/ids.js';
import type { WireErrorCode } from '../domain/wire-errors.js';
import type { ListedBy } from './route.js';

export interface ArrivedRequest extends Pick<AnsweredRequest, 'requestId' | 'method'> {
  readonly route: string | null;
}

export interface RequestObserver {
  arrived(request: ArrivedRequest): ObservedRequest;
}

export interface ObservedRequest {
  run<T>(work: () => T): T;
  admitted(keyId: KeyId): void;
  answered(status: number, code: WireErrorCode | null): void;
}

const UNOBSERVED: ObservedRequest = { run: (work) => work(), admitted: () => {}, answered: () => {} };

export const UNOBSERVED_REQUESTS: RequestObserver = { arrived: () => UNOBSERVED };

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);

/** The facts of a request that the request log may have: no value, no path, no header. */
export interface AnsweredRequest {
  readonly requestId: string;
  /** One of HTTP's methods, or `_OTHER`. */
  readonly method: string;
  readonly route: RequestRoute | null;
  readonly keyId: KeyId | null;
  /** Never stored. For requests without a key, the log uses it to tell the floods of two clients apart. */
  readonly clientAddress: string;
  readonly status: number;
  readonly code: WireErrorCode | null;
  /**
   * The invalid fields with their codes, or the cause of `UNAUTHORIZED`. Names that the API does not know are replaced,
   * because the partner wrote them.
   */
  readonly fields: readonly string[];
  readonly applicationId: ApplicationId | null;
  readonly jobId: JobId | null;
  readonly isReplay: boolean;
  /** The range that the page of a list without filters covered. Null for other requests. */
  readonly readRange: ReadRange | null;
  /** Whether the query of a list had a `cursor` and an `updated_since`. Null for other requests. Never their values. */
  readonly listedBy: ListedBy | null;
}

/** Records answered requests. Both methods are synchronous and never throw. */
export interface RequestRecorder {
  /** Returns the seconds of a monotonic clock. */
  arrived(): number;
  answered(request: AnsweredRequest, arrivedAt: number): void;
}

export const NO_RECORDER: RequestRecorder = { arrived: () => 0, answered: () => {} };

/** Invented methods must not become labels of metrics. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}
