import type { OperatorAlert } from '../domain/alert.js';

/** Notifies the host of paused endpoints and dead letters. */
export interface OperatorAlerts {
  /** The worker retries if it rejects. An alert may arrive twice with the same `id`. */
  alert(alert: OperatorAlert): Promise<void>;
}
