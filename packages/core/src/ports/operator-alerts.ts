import type { OperatorAlert } from '../domain/alert.js';

/** How the host is told what an operator must see to. */
export interface OperatorAlerts {
  /**
   * Called once for each transition. Should the process die between this call and its being recorded, or the storage be
   * away for half a minute then, it comes again with the same `id`. A rejection is retried later.
   */
  alert(alert: OperatorAlert): Promise<void>;
}
