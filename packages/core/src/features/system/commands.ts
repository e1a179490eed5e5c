import { onHost } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { flag, integer, optional } from '../../operator/command/fields.js';
import { filter, nothing } from '../../operator/command/input.js';
import { findOpenAlerts, type OpenAlert } from './open-alerts.js';
import { findStatus, MOST_HOURS, type StatusOptions, type SystemStatus } from './system-status.js';

/**
 * Shows the health of the whole installation. The cost does not grow with the backlog, the applications
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
}

/** Says what needs a person. */
export interface OpenAlertCommands {
  /**
   * Returns what needs a person now, at most one alert of each name, the causes first. Your monitoring also watches what the
   * database does not know, such as slow requests: see `docs/alerts.md`.
   * @example
   * const open = await operator.alerts.open();
   * const pages = open.filter(({ severity }) => severity === 'critical').map(({ finding }) => finding);
   */
  open(): Promise<readonly OpenAlert[]>;
}

export const openAlertDefinitions: Definitions<OpenAlertCommands> = {
  open: {
    summary: 'Shows what needs a person now, since when, and how urgent it is',
    input: nothing(),
    right: 'system:read',
    claims: onHost,
    run: (context) => findOpenAlerts(context),
  },
};

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
};
