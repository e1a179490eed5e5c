import type { Operation, SystemStatus } from '@partner-hiring/core';
import type { AnyOperator } from '../command/command.js';
import { ONE_HOUR_MS, ONE_MINUTE_MS } from '../doctor/limits.js';

/** Something that needs a person. */
export interface Need {
  /** The name of the problem, such as `dead-letters`. Names do not change between releases. */
  readonly name: string;
  readonly finding: string;
  readonly fix: string;
}

/** Something that waits for a worker or for the host. */
export interface StatusWait extends Omit<Need, 'finding'> {
  readonly limitMs: number;
  /** Its words if a worker must run for it, such as `an alert`. */
  readonly what?: string;
  /** Null if nothing waits. */
  readonly since: (status: SystemStatus) => number | null;
  readonly finding: (duration: string, status: SystemStatus) => string;
}

/** The installation as the command `status` found it. */
export interface FoundStatus {
  readonly operator: AnyOperator;
  readonly status: SystemStatus;
  readonly running: readonly Operation[];
}

/** The lines of the command `status` that belong to a feature or to a group of commands. */
export interface StatusPart {
  /** Returns a line about it. */
  readonly line?: (found: FoundStatus) => Promise<string>;
  readonly waits?: readonly StatusWait[];
  /** Returns what else needs a person. Null and false are left out. */
  readonly needs?: (found: FoundStatus) => Promise<readonly (Need | null | false)[]>;
}

/** A delivery or an item of the inbox that is due waits for seconds. */
export const WAITING_MS = 10 * ONE_MINUTE_MS;
/** Operations, downloads, removals, alerts and expired rows take a worker's turn, and are repeated after failures. */
export const LATE_AFTER_MS = ONE_HOUR_MS;
