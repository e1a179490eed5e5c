import type { OperatorAlerts } from '../ports/operator-alerts.js';
import type { Logger } from '../ports/telemetry.js';

const MESSAGES = {
  endpoint_paused: 'A webhook endpoint was paused. Its events are kept. Resume it when it works again.',
  delivery_dead: 'A webhook delivery failed permanently. You can redeliver it.',
} as const;

/**
 * Returns an alerts port that logs each alert at level `warn`.
 * @example
 * const alerts = createLogAlerts(console);
 */
export function createLogAlerts(logger: Pick<Logger, 'warn'>): OperatorAlerts {
  return {
    alert: async (alert) => logger.warn({ alert }, MESSAGES[alert.kind]),
  };
}
