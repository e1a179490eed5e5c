import type {
  ClaimedKeyAlert,
  CollectedAlert,
  KeyAlert,
  NewAlert,
  PartnerMessage,
} from '../../domain/alert.js';
import type { EndpointFailure } from '../../domain/delivery.js';
import { PAUSE_AFTER_DARK_MS, PAUSE_AFTER_FAILURES, type PauseReason } from '../../domain/endpoint.js';
import { failureKind } from '../../domain/endpoint-failure.js';
import { OTHER_PATH, type PartnerOfKey } from '../../domain/failing-endpoint.js';
import { isContactEmail } from '../../domain/partner-contact.js';
import type { PartnerContact } from '../../domain/partner-key.js';
import type { Support } from '../../domain/support.js';
import { HOUR_MS, type Instant, toIso } from '../../domain/time.js';

export interface MessageOptions {
  /** The public address of the partner portal. */
  readonly portalUrl?: string | undefined;
  readonly support?: Support | undefined;
}

type ToldKind = Exclude<KeyAlert['kind'], 'inbox_item_parked'>;
type Told<Kind> = Extract<KeyAlert, { readonly kind: Kind }> & PartnerOfKey;

interface Words<Kind> {
  /** The page of the portal, below its address. */
  readonly page: (alert: Told<Kind>) => string;
  readonly subject: (alert: Told<Kind>) => string;
  /** Paragraphs. `portal` is whether the message links to the portal. */
  readonly text: (alert: Told<Kind>, portal: boolean) => readonly string[];
  /** Whether this alert has a message. By default, each has one. */
  readonly applies?: (alert: Told<Kind>) => boolean;
  /** Whether the message never waits for others of its kind, because a thief may be at work. By default, it may. */
  readonly isUrgent?: (alert: Told<Kind>) => boolean;
}

const endpointPage = ({ keyId }: Pick<KeyAlert, 'keyId'>) => `/endpoints/${keyId}`;
const keyPage = ({ keyId }: Pick<KeyAlert, 'keyId'>) => `/keys/${keyId}`;

const endpointOf = ({ environment }: PartnerOfKey) => `your ${environment} webhook endpoint`;

const DOORS = {
  api: {
    somebody: 'somebody who has your API key',
    ifNotYou: 'If it was not you, your API key may be stolen: contact us at once.',
  },
  portal: {
    somebody: 'somebody who was signed in to your portal',
    ifNotYou: 'If it was none of you, a stranger may be in your portal: contact us at once.',
  },
} as const;
const NOTHING_LOST = 'No event is lost: we keep each one until it can be sent.';

const MESSAGES: { readonly [Kind in ToldKind]: Words<Kind> } = {
  endpoint_failing: {
    page: endpointPage,
    subject: (alert) =>
      alert.reason === 'near_pause'
        ? `We will soon stop sending to ${endpointOf(alert)}`
        : `We cannot reach ${endpointOf(alert)}`,
    text: (alert) => [
      `Since ${moment(alert.failingSince)}, ${endpointOf(alert)} at ${alert.origin} has not accepted any event.${lastFailure(alert.lastFailure)}`,
      `Please check your server. We stop sending after ${PAUSE_AFTER_FAILURES} failed attempts in a row, or when an attempt fails after ${moment(alert.failingSince + PAUSE_AFTER_DARK_MS)}, which is ${PAUSE_AFTER_DARK_MS / HOUR_MS} hours without success. ${NOTHING_LOST}`,
    ],
  },
  endpoint_paused: {
    page: endpointPage,
    subject: (alert) => `We have stopped sending to ${endpointOf(alert)}`,
    text: (alert, portal) => [
      `At ${moment(alert.at)}, we stopped sending events to ${endpointOf(alert)} at ${alert.origin}${becauseOf(alert.reason)}. ${NOTHING_LOST}`,
      `When your server works again, ${portal ? 'resume sending in the portal, or ask us to' : 'tell us, and we resume sending'}. We then send the events that waited.`,
    ],
  },
  endpoint_recovered: {
    page: endpointPage,
    subject: (alert) => `We reach ${endpointOf(alert)} again`,
    text: (alert) => [
      `At ${moment(alert.at)}, ${endpointOf(alert)} at ${alert.origin} accepted an event again. We send the events that waited. There is nothing to do.`,
    ],
  },
  delivery_dead: {
    applies: ({ isFirstOfDay }) => isFirstOfDay,
    page: () => '/deliveries',
    subject: (alert) => `We could not deliver an event to ${endpointOf(alert)}`,
    text: (alert, portal) => [
      `We tried ${alert.attempts} times to send an event to ${endpointOf(alert)} at ${alert.origin}, and gave up at ${moment(alert.at)}. There may be more such events, because we write about them once a day at most.`,
      `We keep the event. When your server accepts it, ${portal ? 'resend it in the portal, or ask us to' : 'tell us, and we resend it'}.`,
    ],
  },
  endpoint_url_changed: {
    isUrgent: ({ isSameHost }) => !isSameHost,
    page: endpointPage,
    subject: (alert) => `The address of ${endpointOf(alert)} was changed`,
    text: (alert) => [
      `At ${moment(alert.at)}, ${DOORS[alert.door].somebody} ${urlChange(alert)}. Events are sent there now.`,
      `If it was you, there is nothing to do. ${DOORS[alert.door].ifNotYou}${restoring(alert.restorableUntil)}`,
    ],
  },
  signing_secret_rotated: {
    page: endpointPage,
    subject: (alert) => `The signing secret of ${endpointOf(alert)} was replaced`,
    text: (alert) => [
      `At ${moment(alert.at)}, ${DOORS[alert.door].somebody} replaced the signing secret of ${endpointOf(alert)} at ${alert.origin}. We also sign events with the old one until ${moment(alert.oldSecretsExpireAt)}.`,
      `If it was you, use the new secret from then on. ${DOORS[alert.door].ifNotYou}`,
    ],
  },
  key_rotated: {
    isUrgent: () => true,
    page: keyPage,
    subject: ({ environment }) => `A new ${environment} API key was made`,
    text: ({ at, door, environment, lastFour }) => [
      `At ${moment(at)}, ${DOORS[door].somebody} made a new ${environment} API key, which ends in ${lastFour}.`,
      `If it was you, use the new key from now on. ${DOORS[door].ifNotYou}`,
    ],
  },
  key_secret_ending: {
    page: keyPage,
    subject: ({ environment }) => `Your old ${environment} API key ends soon`,
    text: ({ environment, lastFour, endsAt }) => [
      `Your ${environment} API key that ends in ${lastFour} stops working at ${moment(endsAt)}. It was replaced by a newer one.`,
      'If you use the newer key already, there is nothing to do. Otherwise, replace the old key before then: we refuse requests with it afterwards.',
    ],
  },
  signing_secret_ending: {
    page: endpointPage,
    subject: (alert) => `The old signing secret of ${endpointOf(alert)} ends soon`,
    text: (alert) => [
      `We sign the events to ${endpointOf(alert)} at ${alert.origin} with two secrets, because the older one was replaced. From ${moment(alert.endsAt)} on, we sign with the newer one only.`,
      'If your server knows the newer secret already, there is nothing to do. Otherwise, give it to your server before then, or your server will refuse our events.',
    ],
  },
};

/** Returns whether an alert has a message that waits for the end of the hour, if one of its kind was sent just before. */
export function isMessageCollected(alert: NewAlert): alert is KeyAlert {
  if (!('keyId' in alert) || alert.kind === 'messages_collected') return false;
  if (alert.kind === 'inbox_item_parked') return false;
  const { applies = () => true, isUrgent = () => false } = MESSAGES[alert.kind] as Words<ToldKind>;
  const told = alert as Told<ToldKind>;
  return applies(told) && !isUrgent(told);
}

/**
 * Returns the message about an alert for the contact of its partner. Null without a usable contact, and for an alert of
 * which the partner need not know.
 */
export function messageOf(
  { contact, isHeld = false, ...claimed }: ClaimedKeyAlert,
  { portalUrl, support = {} }: MessageOptions,
): PartnerMessage | null {
  if (contact === null || !isContactEmail(contact.email) || isHeld) return null;
  const isCollected = claimed.kind === 'messages_collected';
  if (isCollected && claimed.count === 0) return null;
  const alert = isCollected ? { ...claimed, ...claimed.last } : claimed;
  if (alert.kind === 'inbox_item_parked') return null;
  const { applies = () => true, page, subject, text } = MESSAGES[alert.kind] as Words<ToldKind>;
  const told = alert as Told<ToldKind>;
  if (!applies(told)) return null;
  const link = portalUrl === undefined ? null : `${portalUrl.replace(/\/+$/, '')}${page(told)}`;
  const paragraphs = [
    `Hello ${nameOf(contact)},`,
    isCollected ? summaryOf(claimed) : null,
    ...text(told, link !== null),
    link === null ? null : `See it in the portal: ${link}`,
    askWhom(support),
    `You get this message as the contact of ${oneLine(alert.partnerName)}.`,
  ].filter((paragraph) => paragraph !== null);
  return {
    to: { name: nameOf(contact), address: contact.email },
    subject: oneLine(subject(told)),
    text: `${paragraphs.join('\n\n')}\n`,
    link,
  };
}

function summaryOf({ count, since, last }: Pick<CollectedAlert, 'count' | 'since' | 'last'>): string | null {
  if (count === 1) return null;
  return `This message stands for ${count} of its kind, from ${moment(since)} to ${moment(last.at)}. Here is the last one.`;
}

function nameOf({ name }: PartnerContact): string {
  return oneLine(name);
}

/** Line breaks could forge headers of an e-mail, or a paragraph. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu;

function oneLine(text: string): string {
  return text.replace(BREAKS, ' ').trim();
}

/** Returns an instant as `2026-01-31 09:00 UTC`. */
function moment(at: Instant): string {
  return `${toIso(at).slice(0, 16).replace('T', ' ')} UTC`;
}

function lastFailure(failure: EndpointFailure | null): string {
  if (failure === null) return '';
  if (failure.kind === 'answered') return ` At the last attempt, it answered with status ${failure.status}.`;
  return ` At the last attempt, ${FAILURES[failureKind(failure)]}.`;
}

const FAILURES = {
  status: 'it answered with an error',
  timeout: 'it did not answer in time',
  tls: 'no secure connection (TLS) was possible',
  refused: 'we could not connect to it',
} as const;

function becauseOf(reason: PauseReason): string {
  if (reason === 'consecutive_failures') return `, because ${PAUSE_AFTER_FAILURES} attempts in a row failed`;
  if (reason === 'no_success')
    return `, because no attempt succeeded for ${PAUSE_AFTER_DARK_MS / HOUR_MS} hours`;
  return reason === 'gone' ? ', because it answered with status 410, which means that it is gone' : '';
}

function urlChange(alert: Told<'endpoint_url_changed'>): string {
  const { origin, oldOrigin, isSameHost } = alert;
  if (isSameHost) return `changed the address of ${endpointOf(alert)} to ${OTHER_PATH}, ${origin}`;
  return oldOrigin === null
    ? `set the address of ${endpointOf(alert)} to ${origin}`
    : `changed the address of ${endpointOf(alert)} from ${oldOrigin} to ${origin}`;
}

function restoring(until: Instant | null): string {
  return until === null ? '' : ` We can restore the old address until ${moment(until)}.`;
}

function askWhom({ email, url }: Support): string {
  const ways = [
    email === undefined ? null : `write to ${email}`,
    url === undefined ? null : `see ${url}`,
  ].filter((way) => way !== null);
  return ways.length === 0 ? 'Questions? Reply to this message.' : `Questions? Please ${ways.join(' or ')}.`;
}
