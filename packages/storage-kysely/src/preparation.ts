import type { Instant } from '@partner-hiring/core/ports';
import type { Dialect, Unnest } from './dialect.js';
import type { Session } from './session.js';

export interface Preparation extends Dialect {
  /** Makes a batch's items available to a statement as a table named `item`. */
  readonly items: Unnest;
  /** The time on this process's clock. */
  readonly now: () => Instant;
}

/** Compiles a repository's statements, and returns a function that binds them to a session. */
export type Prepare<Repository> = (preparation: Preparation) => (session: Session) => Repository;
