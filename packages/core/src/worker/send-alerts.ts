import pRetry from 'p-retry';
import type { OperatorAlert } from '../domain/alert.js';
import { MINUTE_MS, SECOND_MS } from '../domain/time.js';
import type { OperatorAlerts } from '../ports/operator-alerts.js';
import type { Runtime } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import { withDeadline } from './deadline.js';
import type { Found, PeriodicTask } from './loop.js';
import { recordThroughOutage } from './record-through-outage.js';

/** What handing over alerts needs. */
export interface AlertOptions {
  readonly direct: Repositories;
  readonly alerts: OperatorAlerts;
  readonly runtime: Runtime;
  readonly logger: Logger;
}

/** Alerts are rare; a flood is handed over in bites. */
const BATCH = 16;
/**
 * Outlasts a batch whose every call takes its full time, and a patient record of it. An alert that was refused comes
 * again after it.
 */
const LEASE_MS = 10 * MINUTE_MS;
/** The longest a host's handler may take. */
const HANDLER_MS = 30 * SECOND_MS;
/** Three tries within a second: a hiccup of the host's alerting, not an outage. */
const RETRY = { retries: 2, minTimeout: 200, factor: 2 } as const;

/** Builds the chore that hands alerts to the host. One that was refused stays claimed until its lease ends. */
export function createAlertSender({ direct, alerts, runtime, logger }: AlertOptions): PeriodicTask {
  const { clock, random } = runtime;

  async function poll(): Promise<Found> {
    const token = random.token();
    const claimed = await direct.alerts.claim({ token, forMs: LEASE_MS }, BATCH);
    const outcomes = await Promise.all(claimed.map(handOver));
    const handedOver = claimed.filter((_, index) => outcomes[index]).map(({ id }) => id);
    if (handedOver.length > 0) await recordThroughOutage(() => direct.alerts.settle(handedOver, token));
    if (claimed.length === 0) return 'nothing';
    return claimed.length === BATCH ? 'full' : 'some';
  }

  async function handOver(alert: OperatorAlert): Promise<boolean> {
    try {
      // A copy for each try: what the host does to it is its own.
      await pRetry(() => withDeadline(clock, HANDLER_MS, alerts.alert({ ...alert })), RETRY);
      return true;
    } catch (err) {
      logger.error({ err, alert }, 'An alert could not be handed over; it comes again.');
      return false;
    }
  }

  return { name: 'send-alerts', poll, idle: async () => {} };
}
