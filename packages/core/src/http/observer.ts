import type { KeyId } from '../domain/ids.js';
import type { WireErrorCode } from '../errors.js';

/** A request as far as it is known before anybody was asked who is calling. */
export interface ArrivedRequest {
  readonly requestId: string;
  /** One of HTTP's methods, or `_OTHER`. */
  readonly method: string;
  /** The path's pattern, e.g. `/api/v1/external/applications/{id}`; null for a path that is none of ours. */
  readonly route: string | null;
}

/** Watches requests from their arrival to their reply. */
export interface RequestObserver {
  arrived(request: ArrivedRequest): ObservedRequest;
}

/** One request that is being watched. */
export interface ObservedRequest {
  /** Does what there is to do for the request. */
  run<T>(work: () => T): T;
  /** It came with this key. */
  admitted(keyId: KeyId): void;
  /** It was answered; `code` is null unless the answer is an error. */
  answered(status: number, code: WireErrorCode | null): void;
}

const NOBODY: ObservedRequest = { run: (work) => work(), admitted: () => {}, answered: () => {} };

/** Watches nothing. */
export const UNOBSERVED_REQUESTS: RequestObserver = { arrived: () => NOBODY };

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

/** The method as it may be told: callers make up others, without end. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}
