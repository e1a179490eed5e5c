import type { ReadRange } from '../domain/answered-request.js';
import type { Application } from '../domain/application.js';
import type { ApplicationId, JobId } from '../domain/ids.js';
import type { UsedKey } from '../domain/partner-key.js';
import type { RateState } from '../domain/rate-limit.js';
import type { WireError } from '../errors.js';
import type { ReadBucket } from '../partner/partner-api.js';
import type { HttpRequest } from './message.js';

export type ExtraHeaders = Readonly<Record<string, string>>;

/** The position that the query of a list had. */
export interface ListedBy {
  readonly hasCursor: boolean;
  readonly hasUpdatedSince: boolean;
}

export type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: string;
      readonly rate: RateState;
      readonly headers?: ExtraHeaders | undefined;
      /** The application of an accepted submission. */
      readonly submitted?: { readonly applicationId: ApplicationId; readonly isReplay: boolean };
      /** The range that a page without filters covers. */
      readonly readRange?: ReadRange | undefined;
      readonly listedBy?: ListedBy;
    }
  | {
      readonly kind: 'refused';
      readonly error: WireError;
      readonly rate: RateState;
      /** The job of a submission, if the text that the partner wrote has the form of an id. */
      readonly jobId?: JobId | undefined;
      readonly headers?: ExtraHeaders | undefined;
    };

export type RouteOutcome = Outcome | Uncounted | Ended;

/** The secret of the request has ended since the request was admitted. */
export interface Ended {
  readonly kind: 'ended';
}

/** A refused request that no bucket has counted yet. The key's guard bucket counts it. */
export interface Uncounted {
  readonly kind: 'uncounted';
  readonly error: WireError;
  readonly headers?: ExtraHeaders | undefined;
}

export interface Call {
  readonly request: HttpRequest;
  readonly key: UsedKey;
  readonly rate: RateState;
  readonly query: string;
  readonly pathParameter: string;
  /** The application, or null if it does not exist. Undefined if the request has not read it yet. */
  readonly application: Application | null | undefined;
}

export interface Route {
  readonly bucket: ReadBucket | null;
  readonly applicationId?: (pathParameter: string) => string | null;
  readonly run: (call: Call) => Promise<RouteOutcome>;
}

export function uncounted(error: WireError, headers: ExtraHeaders = {}): Uncounted {
  return { kind: 'uncounted', error, headers };
}

export function refused(error: WireError, rate: RateState): Outcome {
  return { kind: 'refused', error, rate };
}
