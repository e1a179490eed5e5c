import type { OperatorAlerts } from '../ports/operator-alerts.js';
import type { Logger } from '../ports/telemetry.js';

/** What an operator reads for each kind of alert. */
const MESSAGES = {
  endpoint_paused: 'A webhook endpoint was paused. Its events wait; resume it once it answers again.',
  delivery_dead: 'A webhook delivery failed for the last time. It can be redelivered.',
} as const;

/** Alerts as log lines of level `warn`, with the alert's fields: enough where logs are watched. */
export function createLogAlerts(logger: Pick<Logger, 'warn'>): OperatorAlerts {
  return {
    alert: async (alert) => logger.warn({ alert }, MESSAGES[alert.kind]),
  };
}
