import type { Instant } from '@partner-hiring/core/ports';
import type { Dialect, Unnest } from './dialect.js';
import type { Session } from './session.js';

/** What repositories are compiled from, once for each storage. */
export interface Preparation extends Dialect {
  /** A batch as a table named `item`. */
  readonly items: Unnest;
  /** Now, on the clock of this process. */
  readonly now: () => Instant;
}

/** Compiles a repository's statements; what comes back binds them to a session. */
export type Prepare<Repository> = (preparation: Preparation) => (session: Session) => Repository;
