import type { Answer } from '../answer.js';
import type { Route } from '../route.js';

/** One request to the API, however many attempts it takes. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Under the base address, with the query. */
  readonly path: string;
  readonly route: Route;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether a success has the form that was asked for: anything else is as good as no answer. */
  readonly isExpected: (answer: Answer) => boolean;
  readonly signal?: AbortSignal | undefined;
}
