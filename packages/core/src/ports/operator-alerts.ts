import type { OperatorAlert } from '../domain/alert.js';

/** Notifies the host of paused endpoints and dead letters. */
export interface OperatorAlerts {
  /**
   * Handles one alert. If it rejects, the worker retries later. An alert can arrive twice with the same `id`, after a
   * crash or while the storage is unavailable.
   */
  alert(alert: OperatorAlert): Promise<void>;
}
