import { COMMAND_RIGHT_LISTS, COMMAND_RIGHTS, type CommandRight } from '@partner-hiring/core';

/** A right: what an actor may see or do in the console. `docs/console.md` explains each. */
export type ConsoleRight = CommandRight;

/** Returns the rights for which these lists are the smallest. */
function rightsOf(...lists: readonly string[]): readonly ConsoleRight[] {
  return COMMAND_RIGHTS.filter((right) => lists.includes(COMMAND_RIGHT_LISTS[right]));
}

/**
 * Sets of rights: `viewer` sees everything except personal data and changes nothing, `support` also helps partners, and
 * `admin` may do everything. `support` finds and opens candidates, moves applications, resends events, and exports
 * lists. Only `admin` decides, erases, and changes keys, endpoints and jobs.
 * @example
 * const rights = [...CONSOLE_RIGHTS.viewer, 'deliveries:resend'] as const;
 */
export const CONSOLE_RIGHTS: Readonly<Record<'viewer' | 'support' | 'admin', readonly ConsoleRight[]>> = {
  viewer: rightsOf('viewer'),
  support: rightsOf('viewer', 'support'),
  admin: COMMAND_RIGHTS,
};

/** Returns whether a value is the name of a right. */
export function isConsoleRight(value: unknown): value is ConsoleRight {
  return COMMAND_RIGHTS.some((right) => right === value);
}
