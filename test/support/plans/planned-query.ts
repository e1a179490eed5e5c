import type { KeyId } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';

/** The partner's key in planned queries. */
export const KEY: KeyId = 'key_1';

/** Runs the query whose plan is read. */
export type RunPlanned = (repositories: Repositories) => Promise<unknown>;

/** Ranges of one index that a query reads, each in order and up to its limit. */
export interface PlannedRange {
  readonly index: string;
  /**
   * The bounds of each range, as SQLite's `explain query plan` writes them. PostgreSQL's condition must have the same
   * columns. Empty if the query reads an index from its start: such an index has few rows.
   */
  readonly bounds: string;
  /** How many such ranges the query merges. */
  readonly merged: number;
}

/** A query, and what its plan must show on each storage. Without a range, the plan only must not scan a table. */
export interface PlannedQuery extends PlanConditions {
  readonly name: string;
  readonly run: RunPlanned;
  readonly range?: PlannedRange;
}

/** What else holds for a plan. */
export interface PlanConditions {
  /** How many ranges of the index the query merges. By default, 1. */
  readonly merged?: number;
  /** How many statements it runs. By default, 1. */
  readonly statements?: number;
  /** The rows that a statement seems to return, so that the statements after it run too. */
  readonly answer?: (sql: string) => readonly unknown[];
  /**
   * The indexes or tables that SQLite reads from their first row. It reads them up to a limit, or they have one row for
   * each key.
   */
  readonly fromStart?: readonly string[];
  /** The indexes by which it reads other rows. By default, none. */
  readonly beside?: readonly string[];
  /** Columns by which rows of the range are left out. By default, none. */
  readonly filtered?: readonly string[];
  /**
   * Where PostgreSQL applies the limit of each range. `own`, the default: to the range itself. `joined`: to its join
   * with the other rows. `none`: nowhere, because the range is short.
   */
  readonly limit?: 'own' | 'joined' | 'none';
  /** PostgreSQL sorts the rows again, after it has read the page and joined other rows. */
  readonly sorted?: true;
  /**
   * PostgreSQL also chooses such a plan if scans and sorts are allowed. With `by index`, the plan scans no table
   * either, but may sort a short list.
   */
  readonly unforced?: 'by index' | 'in order';
  /** PostgreSQL chooses such a plan also before it has statistics. */
  readonly young?: true;
  /** PostgreSQL plans it once for all partners. */
  readonly plannedOnce?: true;
  /** Plans on the other storage have a check of their own. */
  readonly only?: 'sqlite' | 'postgres';
}

/** A query that must read ranges of an index. */
export function range(
  name: string,
  run: RunPlanned,
  index: string,
  bounds: string,
  conditions: PlanConditions = {},
): PlannedQuery {
  return { name, run, range: { index, bounds, merged: conditions.merged ?? 1 }, ...conditions };
}

/** A query that must find its rows by indexes. */
export function byIndex(name: string, run: RunPlanned, conditions: PlanConditions = {}): PlannedQuery {
  return { name, run, ...conditions };
}
