import { type Instant, toIso } from './time.js';

/** A message for the contact of a partner, ready to send. */
export interface PartnerMessage {
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

const WITH_YOUR_KEY = 'Somebody who has your API key';
const IF_NOT_YOU = 'If it was not you, your API key may be stolen: contact us at once.';

/** Tells a partner that its API key was used to change the URL of its endpoint. */
export function urlChangedMessage({
  at,
  oldOrigin,
  origin,
  restorableUntil,
}: {
  readonly at: Instant;
  readonly oldOrigin: string | null;
  readonly origin: string;
  readonly restorableUntil: Instant | null;
}): PartnerMessage {
  const change = oldOrigin === null ? `set it to ${origin}` : `changed it from ${oldOrigin} to ${origin}`;
  const restore =
    restorableUntil === null ? '' : ` We can restore the old address until ${toIso(restorableUntil)}.`;
  return {
    subject: 'The address of your webhook endpoint was changed',
    text:
      `${WITH_YOUR_KEY} ${change} at ${toIso(at)}. Events are sent there now. ` +
      `If it was you, there is nothing to do. ${IF_NOT_YOU}${restore}`,
  };
}

/** Tells a partner that its API key was used to rotate the signing secret of its endpoint. */
export function secretRotatedMessage({
  at,
  oldSecretsExpireAt,
}: {
  readonly at: Instant;
  readonly oldSecretsExpireAt: Instant;
}): PartnerMessage {
  return {
    subject: 'The signing secret of your webhook endpoint was rotated',
    text:
      `${WITH_YOUR_KEY} rotated the signing secret at ${toIso(at)}. The old secret also signs events until ` +
      `${toIso(oldSecretsExpireAt)}. If it was you, use the new secret from then on. ${IF_NOT_YOU}`,
  };
}
