import { onHost } from '../command/claims.js';
import type { Definitions } from '../command/definition.js';
import { range } from '../command/fields.js';
import { filter, nothing } from '../command/input.js';
import { searchDefinition } from './search/search-definition.js';
import type { SearchInput, SearchResult } from './search/search-types.js';
import type { HourFilter } from './system-overview.js';
import { findOverview, type SystemOverview } from './system-overview.js';
import { findStatus, type SystemStatus } from './system-status.js';

/**
 * Shows the health of the whole installation, and searches it. The cost does not grow with the backlog, the applications
 * or the log.
 */
export interface SystemCommands {
  /**
   * Returns the health of the installation: the database, the workers, what waits, and whether something lags behind.
   * @example
   * const { workers, deliveries } = await operator.system.status();
   * const isDown = workers.every(({ isAlive }) => !isAlive) && deliveries.due > 0;
   */
  status(): Promise<SystemStatus>;
  /**
   * Returns the data of `status`, and for each hour the requests by status and the attempts by outcome. The hours are
   * the last 24 by default. A process that is killed loses up to one second of counted requests and 30 seconds of
   * counted attempts.
   * @example
   * const { hours, endpoints } = await operator.system.overview();
   * const failed = hours.reduce((sum, each) => sum + each.failed, 0);
   * const errors = hours.flatMap(({ requests }) => requests).filter(({ status }) => status >= 500);
   */
  overview(filter?: HourFilter): Promise<SystemOverview>;
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
    input: nothing(),
    right: 'system:read',
    claims: onHost,
    run: (context) => findStatus(context),
  },
  overview: {
    summary: 'Shows the health of the installation, with the requests and attempts of each hour',
    input: filter({ since: range.since }),
    right: 'system:read',
    claims: onHost,
    run: async (context, asked) => {
      await context.flush();
      return findOverview(context, asked);
    },
  },
  search: searchDefinition,
};
