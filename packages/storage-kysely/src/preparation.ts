import type { Instant } from '@partner-hiring/core/ports';
import type { Dialect, Unnest } from './dialect.js';
import type { FileIdentity } from './driver.js';
import type { Session } from './session.js';

export interface Preparation extends Dialect {
  /** Makes a batch's items available to a statement as a table named `item`. */
  readonly items: Unnest;
  /** The time on this process's clock. */
  readonly now: () => Instant;
  readonly fileIdentity: FileIdentity;
}

/** Compiles a repository's statements, and returns its methods. */
export type Prepare<Repository> = (preparation: Preparation) => Prepared<Repository>;

/** The methods of a repository for any session, which each takes before its own arguments. */
export type Prepared<Repository> = {
  readonly [Name in keyof Repository]: Repository[Name] extends (...args: infer Args) => infer Result
    ? (session: Session, ...args: Args) => Result
    : never;
};

/** Adds the methods that another room has to a repository. */
export function withMethods<One, Other>(one: Prepare<One>, other: Prepare<Other>): Prepare<One & Other> {
  return (preparation) => ({ ...one(preparation), ...other(preparation) }) as never;
}
