import type { KeyId } from '../domain/ids.js';
import type { WireErrorCode } from '../errors.js';

export interface ArrivedRequest {
  readonly requestId: string;
  /** One of HTTP's methods, or `_OTHER`. */
  readonly method: string;
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

/** Invented methods must not become labels of metrics. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}
