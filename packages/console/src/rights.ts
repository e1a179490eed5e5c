/** Every right of the console, named `<group>:<verb>`. */
export const CONSOLE_RIGHT_NAMES = [
  'access:bootstrap',
  'access:grant',
  'access:read',
  'access:revoke',
  'applications:decide',
  'applications:fetch-resume',
  'applications:move',
  'applications:read',
  'audit:read',
  'candidates:erase',
  'candidates:read',
  'candidates:search',
  'companies:read',
  'companies:create',
  'companies:rename',
  'deliveries:cancel',
  'deliveries:read',
  'deliveries:redeliver',
  'endpoints:pause',
  'endpoints:read',
  'endpoints:resume',
  'endpoints:rotate-secret',
  'endpoints:set-url',
  'endpoints:test',
  'inbox:read',
  'inbox:retry',
  'inbox:switch',
  'jobs:archive',
  'jobs:hide',
  'jobs:move',
  'jobs:read',
  'keys:issue',
  'keys:read',
  'keys:revoke',
  'keys:rotate',
  'operations:read',
  'operations:stop',
  'partners:create',
  'partners:read',
  'requests:read',
  'sandbox:prepare',
  'system:read',
] as const;

/** A right: what an actor may see or do in the console. `docs/console.md` explains each. */
export type ConsoleRight = (typeof CONSOLE_RIGHT_NAMES)[number];

/** Personal data of candidates. A viewer neither sees it nor finds candidates by it. */
const PERSONAL: readonly ConsoleRight[] = ['candidates:read'];

const VIEWER = CONSOLE_RIGHT_NAMES.filter((right) => right.endsWith(':read') && !PERSONAL.includes(right));

const SUPPORT: readonly ConsoleRight[] = [
  ...VIEWER,
  'applications:fetch-resume',
  'applications:move',
  'candidates:read',
  'candidates:search',
  'deliveries:redeliver',
  'endpoints:resume',
  'endpoints:test',
  'inbox:retry',
  'operations:stop',
];

/**
 * Sets of rights.
 *
 * - `viewer`: sees everything except personal data, and changes nothing.
 * - `support`: also finds and opens candidates, moves applications, and sends events again.
 * - `admin`: everything, such as decisions, erasure, keys, endpoints and jobs.
 *
 * @example
 * const rights = [...CONSOLE_RIGHTS.viewer, 'deliveries:redeliver'] as const;
 */
export const CONSOLE_RIGHTS: Readonly<Record<'viewer' | 'support' | 'admin', readonly ConsoleRight[]>> = {
  viewer: VIEWER,
  support: SUPPORT,
  admin: CONSOLE_RIGHT_NAMES,
};

/** Returns whether a value is the name of a right. */
export function isConsoleRight(value: unknown): value is ConsoleRight {
  return CONSOLE_RIGHT_NAMES.some((right) => right === value);
}
