import type { OperatorAlert } from '../domain/alert.js';

/** Notifies the host of failing and paused endpoints, dead letters and parked inbox items. */
export interface OperatorAlerts {
  /**
   * Handles an alert. If it rejects, the worker tries again later. An alert may arrive twice with the same
   * `id`.
   */
  alert(alert: OperatorAlert): Promise<void>;
}
