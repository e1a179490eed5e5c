import pRetry from 'p-retry';
import {
  type ClaimedAlert,
  type ClaimedKeyAlert,
  type OperatorAlert,
  withoutMessage,
} from '../../domain/alert.js';
import { isError } from '../../domain/any-realm.js';
import { splitEmail } from '../../domain/email-address.js';
import { hideValues } from '../../domain/hide-values.js';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import type { OperatorAlerts } from '../../ports/host-services.js';
import type { Runtime } from '../../ports/runtime.js';
import type { Repositories } from '../../ports/storage.js';
import type { Logger } from '../../ports/telemetry.js';
import { withDeadline } from '../../worker/host-deadline.js';
import type { Found, PeriodicTask } from '../../worker/loop.js';
import { recordThroughOutage } from '../../worker/record-through-outage.js';
import { type MessageOptions, messageOf } from './message-rules.js';

export interface AlertOptions {
  readonly direct: Repositories;
  readonly alerts: OperatorAlerts;
  readonly messages: MessageOptions;
  readonly runtime: Runtime;
  readonly logger: Logger;
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
        if (alert === null) return { id: each.id, end: 'needless' };
        if (!(await send(alert))) return { id: each.id, end: 'refused' };
        return { id: each.id, end: 'message' in alert ? 'told' : 'sent' };
      }),
    );
    const endedAs = (...ends: readonly string[]) =>
      outcomes.flatMap(({ id, end }) => (ends.includes(end) ? id : []));
    const needless = endedAs('needless');
    if (needless.length > 0) await recordThroughOutage(() => direct.alerts.drop(needless, token));
    const sent = endedAs('sent', 'told');
    if (sent.length > 0) await recordThroughOutage(() => direct.alerts.settle(sent, token, endedAs('told')));
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

/**
 * Returns a claimed alert as the host gets it, with the message for the partner's contact. The message is written now, so
 * that it has the contact as it is now. Returns null for an alert that is no longer true, or that nobody needs.
 */
async function presentAlert(
  direct: Repositories,
  claimed: ClaimedAlert,
  options: MessageOptions,
): Promise<OperatorAlert | null> {
  if (!('keyId' in claimed)) return claimed;
  if (!(await isNeeded(direct, claimed))) return null;
  const { contact: _, isHeld: __, ...alert } = claimed;
  // Partners hear nothing from a copy.
  const message = claimed.deployment === undefined ? messageOf(claimed, options) : null;
  if (message !== null) return { ...alert, message };
  return alert.kind === 'messages_collected' ? null : alert;
}

/** Only a partner needs to know that its old secret ends. The secret may have been revoked, or ended by a later rotation. */
async function isNeeded(direct: Repositories, alert: ClaimedKeyAlert): Promise<boolean> {
  const { keyId } = alert;
  // Of several secrets, others than the last one may still end.
  if (alert.kind === 'messages_collected')
    return alert.count > 1 || isNeeded(direct, { ...alert, ...alert.last });
  if (alert.kind === 'key_secret_ending') {
    if (alert.contact === null) return false;
    const secrets = await direct.keys.listSecrets(keyId);
    return secrets.some(
      ({ lastFour, expiresAt, revokedAt }) =>
        lastFour === alert.lastFour && expiresAt === alert.endsAt && revokedAt === null,
    );
  }
  if (alert.kind !== 'signing_secret_ending') return true;
  if (alert.contact === null) return false;
  const endpoint = await direct.endpoints.find(keyId);
  return endpoint?.secrets.some(({ expiresAt }) => expiresAt === alert.endsAt) ?? false;
}

/** Longer messages are cut: a mailer may quote a whole message. */
const MAX_SEARCHED = 3_000;

/** Returns an error for the log without the contact, whom a mailer's error may quote. */
function hideContact(error: unknown, alert: OperatorAlert): unknown {
  if (!isError(error) || !('message' in alert) || alert.message === undefined) return error;
  const { name, address } = alert.message.to;
  return withHidden(error, [name, address, splitEmail(address).local]);
}

function withHidden(error: Error, values: readonly string[]): Error {
  const { name, stack, cause } = error;
  const message = hideValues(String(error.message).slice(0, MAX_SEARCHED), values);
  const hidden = new Error(message, {
    cause: isError(cause) ? withHidden(cause, values) : undefined,
  });
  const code: unknown = 'code' in error ? error.code : undefined;
  return Object.assign(hidden, { name, stack, code });
}
