import pRetry from 'p-retry';
import { type OperatorAlert, withoutMessage } from '../domain/alert.js';
import type { MessageOptions } from '../domain/partner-message.js';
import { MINUTE_MS, SECOND_MS } from '../domain/time.js';
import type { OperatorAlerts } from '../ports/host-services.js';
import type { Runtime } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import { withDeadline } from './host-deadline.js';
import type { Found, PeriodicTask } from './loop.js';
import { hideContact, presentAlert } from './present-alert.js';
import { recordThroughOutage } from './record-through-outage.js';

export interface AlertOptions {
  readonly direct: Repositories;
  readonly alerts: OperatorAlerts;
  /** Where the messages to partners lead. */
  readonly messages: MessageOptions;
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** The deployment of the process. */
  readonly deployment?: string | undefined;
}

const BATCH = 16;
/** A slow batch and its record take less time. After the lease, a refused alert is sent again. */
const LEASE_MS = 10 * MINUTE_MS;
const HANDLER_MS = 30 * SECOND_MS;
const RETRY = { retries: 2, minTimeout: 200, factor: 2 } as const;

/**
 * Sends alerts to the host. An alert that the host refuses stays leased and is sent again after the lease.
 */
export function createAlertSender(options: AlertOptions): PeriodicTask {
  const { direct, alerts, messages, runtime, logger, deployment } = options;
  const { clock, random } = runtime;

  async function poll(): Promise<Found> {
    const token = random.token();
    const claimed = await direct.alerts.claim({ token, forMs: LEASE_MS, deployment }, BATCH);
    const outcomes = await Promise.all(
      claimed.map(async (each) => {
        const alert = await presentAlert(direct, each, messages);
        return { id: each.id, isSent: alert === null || (await send(alert)) };
      }),
    );
    const sent = outcomes.filter(({ isSent }) => isSent).map(({ id }) => id);
    if (sent.length > 0) await recordThroughOutage(() => direct.alerts.settle(sent, token));
    if (claimed.length === 0) return 'nothing';
    return claimed.length === BATCH ? 'full' : 'some';
  }

  async function send(alert: OperatorAlert): Promise<boolean> {
    try {
      // Each call gets a copy, because the host may change it.
      await pRetry(() => withDeadline(clock, HANDLER_MS, alerts.alert({ ...alert })), RETRY);
      return true;
    } catch (err) {
      const logged = { err: hideContact(err, alert), alert: withoutMessage(alert) };
      logger.error(logged, 'The alert handler failed; the alert is sent again later.');
      return false;
    }
  }

  return { name: 'send-alerts', poll, idle: async () => {} };
}
