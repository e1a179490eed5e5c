import type { ClaimedAlert, ClaimedKeyAlert, OperatorAlert } from '../domain/alert.js';
import { isError } from '../domain/any-realm.js';
import { splitEmail } from '../domain/email-address.js';
import { hideValues } from '../domain/hide-values.js';
import { type MessageOptions, messageOf } from '../domain/partner-message.js';
import type { Repositories } from '../ports/storage.js';

/**
 * Returns a claimed alert as the host gets it, with the message for the partner's contact. The message is written now, so
 * that it has the contact as it is now. Returns null for an alert that is no longer true, or that nobody needs.
 */
export async function presentAlert(
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
export function hideContact(error: unknown, alert: OperatorAlert): unknown {
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
