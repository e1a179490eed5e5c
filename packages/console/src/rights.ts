import { COMMAND_RIGHTS, type CommandRight } from '@partner-hiring/core';

/** A right: what an actor may see or do in the console. `docs/console.md` explains each. */
export type ConsoleRight = CommandRight;

/** Personal data of candidates. A viewer neither sees it nor finds candidates by it. */
const PERSONAL: readonly ConsoleRight[] = ['candidates:read'];

const VIEWER = COMMAND_RIGHTS.filter((right) => right.endsWith(':read') && !PERSONAL.includes(right));

const SUPPORT: readonly ConsoleRight[] = [
  ...VIEWER,
  'applications:fetch-resume',
  'applications:move',
  'candidates:read',
  'candidates:search',
  'deliveries:resend',
  'endpoints:resume',
  'endpoints:test',
  'keys:probe',
  'inbox:retry',
  'lists:export',
  'operations:stop',
];

/**
 * Sets of rights: `viewer` sees everything except personal data and changes nothing, `support` also helps partners, and
 * `admin` may do everything. `support` finds and opens candidates, moves applications, resends events, and exports
 * lists. Only `admin` decides, erases, and changes keys, endpoints and jobs.
 * @example
 * const rights = [...CONSOLE_RIGHTS.viewer, 'deliveries:resend'] as const;
 */
export const CONSOLE_RIGHTS: Readonly<Record<'viewer' | 'support' | 'admin', readonly ConsoleRight[]>> = {
  viewer: VIEWER,
  support: SUPPORT,
  admin: COMMAND_RIGHTS,
};

/** Returns whether a value is the name of a right. */
export function isConsoleRight(value: unknown): value is ConsoleRight {
  return COMMAND_RIGHTS.some((right) => right === value);
}
