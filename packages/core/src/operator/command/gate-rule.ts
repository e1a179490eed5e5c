import type { CompanyId, PartnerId } from '../../domain/ids.js';
import type { Repositories } from '../../ports/storage.js';
import type { CommandRight } from './rights.js';

/** Returns which of these companies the actor's partners see. */
export type SeeCompanies = (companyIds: readonly CompanyId[]) => Promise<ReadonlySet<CompanyId>>;

/** How a command passes the gate, beyond its right and its claims. */
export interface GateRule<Value, Result, Asked = Value, Shown = Result> {
  /** The right that the object needs in addition. Null for none, and for an unknown object. */
  readonly moreRight?: (read: Repositories, input: Value) => Promise<CommandRight | null>;
  /**
   * Whether the result contains unmasked candidates. In the results of all other commands, candidates are masked for
   * every actor.
   */
  readonly showsCandidate?: true;
  /** Throws for an unknown object. Without this, a command named `find` returns null. */
  readonly neverNull?: true;
  /** Hides texts that may quote a candidate. Applies to actors without `candidates:read`. */
  readonly hide?: (result: Result) => Shown;
  /** Asks for less. Applies to actors for some partners. */
  readonly limit?: (input: Value) => Asked;
  /** Hides what the result says about other partners. Applies to actors who may see only some partners. */
  readonly narrow?: (
    result: Result,
    input: Value,
    sees: SeeCompanies,
    partnerIds: readonly PartnerId[],
  ) => Shown | Promise<Shown>;
}

/** A rule without the types of its command. */
export type AnyGateRule = GateRule<never, never, unknown, unknown>;
