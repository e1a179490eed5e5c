import { onHost } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { flag, integer, optional } from '../../operator/command/fields.js';
import { filter } from '../../operator/command/input.js';
import { searchDefinition } from '../search/definitions.js';
import type { SearchInput, SearchResult } from '../search/search-types.js';
import { findStatus, MOST_HOURS, type StatusOptions, type SystemStatus } from './system-status.js';

/**
 * Shows the health of the whole installation, and searches it. The cost does not grow with the backlog, the applications
 * or the log.
 */
export interface SystemCommands {
  /**
   * Returns the health of the installation: the database and its deployment, the workers, the inbox, what waits, and
   * whether something lags behind. With `hours`, also what happened in the last hours; with `sealing`, also which keys
   * encrypt the signing secrets.
   * @throws OperatorError `MISCONFIGURED` if `sealing` is asked for, and the secret box has no `keyIds`.
   * @example
   * const { workers, deliveries } = await operator.system.status();
   * const isDown = workers.every(({ isAlive }) => !isAlive) && deliveries.due > 0;
   * @example
   * const { hours } = await operator.system.status({ hours: 24 });
   * const errors = hours?.flatMap(({ requests }) => requests).filter(({ status }) => status >= 500);
   */
  status(options?: StatusOptions): Promise<SystemStatus>;
  /**
   * Searches (finds, looks up) people, applications, partners, keys, companies, jobs, events, requests and operations.
   * Returns at most 50 rows in each group, the best matches first. The words of a name may be in any order, without
   * case and accents, and may be beginnings: `chen me` finds Mei Chen. Erased candidates are found only by the
   * application.
   * @example
   * const { people, applications } = await operator.system.search({ text: 'ada reyes' });
   * const { jobs } = await operator.system.search({ text: 'night picker', kinds: ['job'] });
   */
  search(input: SearchInput): Promise<SearchResult>;
}

export const systemDefinitions: Definitions<SystemCommands> = {
  status: {
    summary: 'Shows the health of the installation',
    input: filter({
      hours: optional(
        integer(1, MOST_HOURS),
        'Also counts requests and attempts in so many of the last hours',
      ),
      sealing: optional(flag, 'Also counts the signing secrets by the key that sealed them'),
    }),
    right: 'system:read',
    claims: onHost,
    run: async (context, asked) => {
      if (asked.hours !== undefined) await context.flush();
      return findStatus(context, asked);
    },
  },
  search: searchDefinition,
};
