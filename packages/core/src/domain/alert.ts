import type { Door } from './audit.js';
import { type PauseReason, RESTORE_MS, type StoredEndpoint } from './endpoint.js';
import { type FailingFacts, type FailingReason, originOf, type PartnerOfKey } from './failing-endpoint.js';
import type { AlertId, EventId, InboxItemId, KeyId, OperationId } from './ids.js';
import type { PartnerContact } from './partner-key.js';
import { HOUR_MS, type Instant } from './time.js';

/** The fields of every alert about a key. */
export interface AlertHead<Kind extends string> {
  readonly id: AlertId;
  readonly kind: Kind;
  readonly keyId: KeyId;
  readonly at: Instant;
}

/**
 * An alert as the library adds it. The storage saves it in the transaction of its cause, so each cause leads
 * to one alert. Contract: 12.7, 12.9, 12.10.
 */
export type NewAlert = NewKeyAlert | SyncAlert;

/** The door through which a partner acted: with its API key, or in its portal. */
export type PartnerDoor = Extract<Door, 'api' | 'portal'>;

/** An alert about a key, without its partner. */
export type NewKeyAlert = KeyAlert | CollectedAlert;

/** An alert about something that happened to a key. */
export type KeyAlert =
  | (AlertHead<'endpoint_failing'> & FailingFacts & { readonly reason: FailingReason })
  | (AlertHead<'endpoint_paused'> & {
      /** The origin of the endpoint's URL, such as `https://hooks.example`. */
      readonly origin: string;
      readonly reason: PauseReason;
    })
  | (AlertHead<'endpoint_recovered'> & {
      /** The origin of the endpoint's URL. */
      readonly origin: string;
      /** When the host was last told that the endpoint is failing or paused. */
      readonly reportedAt: Instant;
    })
  | (AlertHead<'delivery_dead'> & {
      /** The origin of the endpoint's URL. */
      readonly origin: string;
      readonly eventId: EventId;
      readonly attempts: number;
      /** Whether it is the first one of the endpoint in 24 hours. Only the first one has a message. */
      readonly isFirstOfDay: boolean;
    })
  | (AlertHead<'endpoint_url_changed'> & {
      /** The origin of the new URL. */
      readonly origin: string;
      /** The origin of the URL before; null if the endpoint is new. */
      readonly oldOrigin: string | null;
      /** Whether only the path or the query changed, which are left out because they may contain a secret. */
      readonly isSameHost: boolean;
      /** Until when `setUrl({ keyId, restore: true })` restores the old URL; null if the endpoint is new. */
      readonly restorableUntil: Instant | null;
      readonly door: PartnerDoor;
    })
  | (AlertHead<'key_rotated'> & {
      /** The last four characters of the new secret. */
      readonly lastFour: string;
      readonly door: PartnerDoor;
    })
  | (AlertHead<'signing_secret_rotated'> & {
      /** The origin of the endpoint's URL. */
      readonly origin: string;
      readonly oldSecretsExpireAt: Instant;
      readonly door: PartnerDoor;
    })
  | (AlertHead<'key_secret_ending'> & {
      /** The last four characters of the old secret. */
      readonly lastFour: string;
      readonly endsAt: Instant;
    })
  | (AlertHead<'signing_secret_ending'> & {
      /** The origin of the endpoint's URL. */
      readonly origin: string;
      readonly endsAt: Instant;
    })
  | (AlertHead<'inbox_item_parked'> & { readonly itemId: InboxItemId; readonly failures: number });

/**
 * Messages of one kind for the contact of a partner, collected for the hour after the first one. Their alerts came
 * at once, without a message.
 */
export interface CollectedAlert extends AlertHead<'messages_collected'> {
  /** How many messages there are. */
  readonly count: number;
  /** When the alert of the first one was. */
  readonly since: Instant;
  /** The alert of the last one. */
  readonly last: KeyAlert;
}

/** An alert as it is stored. */
export type StoredAlert = NewAlert & {
  /** Whether its message waits, and another alert collects it. */
  readonly isHeld?: boolean | undefined;
};

/**
 * An alert about the syncs of jobs. While a trouble lasts, later runs raise no other alert of its kind, and its end
 * raises `jobs_sync_recovered`. `operationId` names the run that caused it.
 */
export type SyncAlert = { readonly id: AlertId; readonly at: Instant; readonly operationId: OperationId } & (
  | {
      /** The missing jobs were not closed, because there were too many. */
      readonly kind: 'jobs_sync_held';
      /** How many jobs the source no longer has. */
      readonly missing: number;
      /** How many open jobs the sync keeps in step, including the missing ones. */
      readonly open: number;
    }
  | {
      /** Two runs in a row have failed, so changes of the source do not reach partners. */
      readonly kind: 'jobs_sync_failed';
      readonly failures: number;
      /** When the last good run ended or, before the first one, when the first run began. */
      readonly goodAt: Instant;
      /** Why the last run failed. The log of its process has the details. */
      readonly lastError: string | null;
    }
  /** Rows of the source were refused. `jobs.syncs.last` shows them. */
  | { readonly kind: 'jobs_sync_refused_rows'; readonly refused: number }
  | { readonly kind: 'jobs_sync_recovered'; readonly ended: readonly SyncTrouble[] }
);

/** An alert that was sent, without personal data. It is stored for 30 days. */
export interface SentAlert {
  readonly id: AlertId;
  /** The alert, without its partner and its message. */
  readonly alert: NewAlert;
  /** When your function `alert` accepted it. */
  readonly sentAt: Instant;
  /** Whether it had a message for the contact of the partner. */
  readonly isTold: boolean;
}

/** A message for the contact of a partner, ready to send. */
export interface PartnerMessage {
  /** The contact, as mailers such as nodemailer take it. The name and the address are one line each. */
  readonly to: { readonly name: string; readonly address: string };
  /** One line. */
  readonly subject: string;
  /** Plain text. It contains the link. */
  readonly text: string;
  /** The page of the partner portal that the message is about; null without the option `portalUrl`. */
  readonly link: string | null;
}

/** What an alert for the host has besides its facts. */
export interface AlertExtras extends PartnerOfKey {
  /** For the partner's contact, ready to send; omitted if the partner has no contact, or need not know. */
  readonly message?: PartnerMessage;
}

/** An alert for the host's operators. An alert about a key names the partner. */
export type OperatorAlert = ((NewKeyAlert & AlertExtras) | SyncAlert) & OfOtherDeployment;

/** Marks an alert of a database that belongs to another deployment than the process, or is at another place. */
export interface OfOtherDeployment {
  /** The names of the database and of the process; omitted if the process may send to partners. */
  readonly deployment?: { readonly database: string | null; readonly process: string | null } | undefined;
}

/** An alert about a key, with the partner as it is now. */
export type ClaimedKeyAlert = NewKeyAlert &
  PartnerOfKey &
  OfOtherDeployment &
  Pick<StoredAlert, 'isHeld'> & { readonly contact: PartnerContact | null };

/** An alert as the storage returns it. */
export type ClaimedAlert = ClaimedKeyAlert | (SyncAlert & OfOtherDeployment);

/** Returns an alert for the log, which must not contain the contact of a partner. */
export function withoutMessage(alert: OperatorAlert): OperatorAlert {
  if (!('keyId' in alert)) return alert;
  const { message: _, ...rest } = alert;
  return rest;
}

/** Returns the warning of a failing endpoint. */
export function failingAlert(
  facts: FailingFacts,
  { id, reason, at }: { readonly id: AlertId; readonly reason: FailingReason; readonly at: Instant },
): NewKeyAlert {
  const { keyId, origin, failingSince, attempts, lastFailure } = facts;
  return { id, kind: 'endpoint_failing', keyId, at, origin, reason, failingSince, attempts, lastFailure };
}

/** An act of a partner that raises an alert. */
interface PartnerAct {
  readonly id: AlertId;
  readonly at: Instant;
  readonly door: PartnerDoor;
}

/** Returns the alert that a partner has set the URL of its endpoint. `old` is the endpoint before, or null. */
export function urlChangedAlert(
  endpoint: Pick<StoredEndpoint, 'keyId' | 'url'>,
  old: Pick<StoredEndpoint, 'url'> | null,
  { id, at, door }: PartnerAct,
): NewKeyAlert {
  const { keyId } = endpoint;
  const origin = originOf(endpoint.url);
  const oldOrigin = old === null ? null : originOf(old.url);
  return {
    id,
    kind: 'endpoint_url_changed',
    keyId,
    at,
    door,
    origin,
    oldOrigin,
    isSameHost: oldOrigin === origin,
    restorableUntil: old === null ? null : at + RESTORE_MS,
  };
}

/** Returns the alert that a partner has rotated the signing secret of its endpoint. */
export function secretRotatedAlert(
  { keyId, url }: Pick<StoredEndpoint, 'keyId' | 'url'>,
  { oldSecretsExpireAt, ...act }: PartnerAct & { readonly oldSecretsExpireAt: Instant },
): NewKeyAlert {
  return { ...act, kind: 'signing_secret_rotated', keyId, origin: originOf(url), oldSecretsExpireAt };
}

/** Returns the alert that a partner has made a new secret of its key. */
export function keyRotatedAlert(
  { id: keyId }: { readonly id: KeyId },
  { lastFour, ...act }: PartnerAct & { readonly lastFour: string },
): NewKeyAlert {
  return { ...act, kind: 'key_rotated', keyId, lastFour };
}

/** Long enough before the end for a person to act on it, and half of the usual overlap. */
export const TELL_BEFORE_END_MS = 12 * HOUR_MS;

/** The end of an old secret, of which the partner is told before. */
interface SecretEnding {
  readonly id: AlertId;
  /** When the rotation was. */
  readonly now: Instant;
  readonly endsAt: Instant;
}

/** Returns when to tell a partner that a secret ends. */
function tellingAt({ now, endsAt }: SecretEnding): Instant {
  return Math.max(now, endsAt - TELL_BEFORE_END_MS);
}

/** Returns the alert that an old secret of a key ends. It is sent when its time has come. */
export function keySecretEndingAlert(
  { keyId, lastFour }: { readonly keyId: KeyId; readonly lastFour: string },
  ending: SecretEnding,
): NewKeyAlert {
  const { id, endsAt } = ending;
  return { id, kind: 'key_secret_ending', keyId, at: tellingAt(ending), lastFour, endsAt };
}

/** Returns the alert that an old signing secret ends. It is sent when its time has come. */
export function signingSecretEndingAlert(
  { keyId, url }: Pick<StoredEndpoint, 'keyId' | 'url'>,
  ending: SecretEnding,
): NewKeyAlert {
  const { id, endsAt } = ending;
  return { id, kind: 'signing_secret_ending', keyId, at: tellingAt(ending), origin: originOf(url), endsAt };
}

/** The troubles that raise an alert. One failed run raises none: the next run may succeed. */
export type SyncTrouble = 'failed' | 'refused_rows' | 'held';
