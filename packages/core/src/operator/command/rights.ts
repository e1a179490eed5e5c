/**
 * The smallest list of rights that contains each right: `viewer` sees, `support` also helps partners, and `admin` may do
 * everything.
 */
export const COMMAND_RIGHT_LISTS = {
  'access:bootstrap': 'admin',
  'access:grant': 'admin',
  'access:read': 'viewer',
  'access:revoke': 'admin',
  'applications:decide': 'admin',
  'applications:fetch-resume': 'support',
  'applications:move': 'support',
  'applications:read': 'viewer',
  'audit:read': 'viewer',
  'candidates:erase': 'admin',
  'candidates:export': 'admin',
  'candidates:read': 'support',
  'candidates:search': 'support',
  'companies:read': 'viewer',
  'companies:create': 'admin',
  'companies:rename': 'admin',
  'deliveries:cancel': 'admin',
  'deliveries:read': 'viewer',
  'deliveries:resend': 'support',
  'endpoints:pause': 'admin',
  'endpoints:read': 'viewer',
  'endpoints:resume': 'support',
  'endpoints:rotate-secret': 'admin',
  'endpoints:set-url': 'admin',
  'endpoints:test': 'support',
  'inbox:read': 'viewer',
  'inbox:retry': 'support',
  'inbox:switch': 'admin',
  'jobs:archive': 'admin',
  'jobs:hide': 'admin',
  'jobs:move': 'admin',
  'jobs:read': 'viewer',
  'jobs:sync': 'admin',
  'keys:issue': 'admin',
  'keys:limit': 'admin',
  'keys:probe': 'support',
  'keys:read': 'viewer',
  'keys:revoke': 'admin',
  'keys:rotate': 'admin',
  'lists:export': 'support',
  'operations:read': 'viewer',
  'operations:stop': 'support',
  'partners:contact': 'admin',
  'partners:create': 'admin',
  'partners:disable': 'admin',
  'partners:read': 'viewer',
  'partners:remove': 'admin',
  'partners:rename': 'admin',
  'portal:link': 'admin',
  'portal:revoke': 'admin',
  'requests:read': 'viewer',
  'sandbox:prepare': 'admin',
  'system:read': 'viewer',
  'totals:read': 'viewer',
} as const satisfies Readonly<Record<string, 'viewer' | 'support' | 'admin'>>;

/**
 * A right to call commands, named `<group>:<verb>`; without `candidates:read`, the console's pages hide the personal
 * data of candidates.
 */
export type CommandRight = keyof typeof COMMAND_RIGHT_LISTS;

/** Every right to call commands, named `<group>:<verb>`. `operator.limitedTo` and the console check them. */
export const COMMAND_RIGHTS = Object.keys(COMMAND_RIGHT_LISTS) as readonly CommandRight[];
