import { HIDDEN, type Reply } from './web.js';

/** One step of a chain. */
export interface Step {
  readonly chain: number;
  readonly step: number;
  readonly status: number;
  readonly scheme: 'http' | 'https';
}

/** What a chain does to the client, at one of its steps. */
export interface Kind {
  readonly kind: string;
  readonly title: string;
  readonly outcomes: readonly string[];
  /** The replies from this step on. */
  readonly ends: (step: Step) => readonly Reply[];
  /** The requests from this step on. Null if the client retries. */
  readonly requests: number | null;
  /** The redirects from this step on, if there are more than one. */
  readonly redirects?: number;
  readonly scheme?: 'https';
  readonly isSlow?: true;
}

/** The statuses of redirects. */
export const STATUSES: readonly number[] = [301, 302, 303, 307, 308];

/** The query of a target. */
export const QUERY = `${HIDDEN}=target`;
