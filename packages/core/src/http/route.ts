import type { Application } from '../domain/application.js';
import type { PartnerKey } from '../domain/partner-key.js';
import type { RateState } from '../domain/rate-limit.js';
import type { WireError } from '../errors.js';
import type { ReadBucket } from '../partner/partner-api.js';
import type { HttpRequest } from './message.js';

/** Header fields besides those that every reply carries. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** What became of a request. `rate` is the bucket that it was counted in, or would be. */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** JSON text. */
      readonly body: string;
      readonly rate: RateState;
      readonly headers?: ExtraHeaders;
    }
  | {
      readonly kind: 'refused';
      readonly error: WireError;
      readonly rate: RateState;
      readonly headers?: ExtraHeaders;
    };

/** What a route answers: an outcome, or a refusal that the key's guard is yet to be charged for. */
export type RouteOutcome = Outcome | Uncounted;

/** A refusal that no bucket has counted yet. */
export interface Uncounted {
  readonly kind: 'uncounted';
  readonly error: WireError;
  readonly headers?: ExtraHeaders;
}

/** A request that was let in, with what its target says. */
export interface Call {
  readonly request: HttpRequest;
  readonly key: PartnerKey;
  /** Where the bucket stands that it was counted in, or would be. */
  readonly rate: RateState;
  /** The raw query, without the question mark. */
  readonly query: string;
  /** The raw last segment of the path, where the endpoint has a parameter; else empty. */
  readonly pathParameter: string;
  /** What the route's `applicationId` names, if it was read while the request was let in; null if nothing is there. */
  readonly application: Application | null | undefined;
}

/** What a method of an endpoint does. */
export interface Route {
  /** Counted in at once; null if what it does is counted later. */
  readonly bucket: ReadBucket | null;
  /** The application that a request asks for, by the raw last segment of its path; null if that can be no id. */
  readonly applicationId?: (pathParameter: string) => string | null;
  readonly run: (call: Call) => Promise<RouteOutcome>;
}

/** Refuses a request before a bucket counted it. */
export function uncounted(error: WireError, headers: ExtraHeaders = {}): Uncounted {
  return { kind: 'uncounted', error, headers };
}

/** Refuses a request that was counted, or cannot be. */
export function refused(error: WireError, rate: RateState): Outcome {
  return { kind: 'refused', error, rate };
}
