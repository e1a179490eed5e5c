/** Spec: Resources, Application, `status`. */
export type ApplicationStatus = 'received' | 'in_progress' | 'accepted' | 'rejected';

/** Why a job stopped being visible. Spec: Events, `reason`. */
export type ClosedReason = 'closed_by_customer' | 'access_revoked' | 'internal_sourcing_only';

/** Spec: Resources, Webhook event envelope. */
interface Envelope<Type extends string, Data> {
  /** Unique, and the same on every attempt to deliver it: remember it, and skip what you have seen. */
  readonly id: string;
  readonly type: Type;
  /** When it occurred, ISO 8601 in UTC; not when it was delivered. */
  readonly createdAt: string;
  readonly apiVersion: 'v1';
  readonly data: Data;
}

/** An application was accepted or rejected. Spec: Events, event types. */
export type ApplicationStatusChangedEvent = Envelope<
  'application.status_changed',
  {
    readonly applicationId: string;
    /** Your own identifier; null if the submission carried none. */
    readonly sourceApplicationId: string | null;
    readonly jobId: string;
    readonly oldStatus: ApplicationStatus;
    readonly newStatus: Extract<ApplicationStatus, 'accepted' | 'rejected'>;
    /** A label for people, e.g. `Hired`. */
    readonly currentStage: string;
    readonly occurredAt: string;
  }
>;

/** A job became visible to the key. Spec: Events, event types. */
export type JobOpenedEvent = Envelope<
  'job.opened',
  {
    readonly jobId: string;
    readonly companyId: string;
    readonly title: string;
    readonly openedAt: string;
  }
>;

/** A job stopped being visible to the key. Spec: Events, event types. */
export type JobClosedEvent = Envelope<
  'job.closed',
  {
    readonly jobId: string;
    readonly companyId: string;
    readonly reason: ClosedReason;
    readonly closedAt: string;
  }
>;

/** The events of v1 as of this version of the library. */
export type KnownEvent = ApplicationStatusChangedEvent | JobOpenedEvent | JobClosedEvent;

/**
 * A type that this version of the library does not know, e.g. `job.paused`. The form is a mark for the
 * compiler, which has no "any string but these": it keeps the known types apart, so that comparing `type`
 * with one of them leaves that event alone. The value is the bare type; use it as a `string`.
 */
export type UnknownEventType = `unknown to this version: ${string}`;

/** An event of a type added after this version: v1 grows. Acknowledge it with a 2xx and go on. */
export type UnknownEvent = Envelope<UnknownEventType, Readonly<Record<string, unknown>>>;

/** A verified event. Comparing its `type` narrows it. */
export type PartnerEvent = KnownEvent | UnknownEvent;

/** What an event's data must hold, beside what v1 may add. */
const DATA_FIELDS: Readonly<Record<KnownEvent['type'], readonly string[]>> = {
  'application.status_changed': [
    'applicationId',
    'jobId',
    'oldStatus',
    'newStatus',
    'currentStage',
    'occurredAt',
  ],
  'job.opened': ['jobId', 'companyId', 'title', 'openedAt'],
  'job.closed': ['jobId', 'companyId', 'reason', 'closedAt'],
};

/** What a signed body turned out to be. */
export type EventReading =
  | { readonly kind: 'event'; readonly event: PartnerEvent }
  | { readonly kind: 'malformed' | 'unsupported_version' };

/** Reads an envelope from a signed body: its fields are there and of their types. Values may grow within v1. */
export function readEvent(text: string): EventReading {
  const envelope = parseObject(text);
  if (envelope === null || typeof envelope.apiVersion !== 'string') return { kind: 'malformed' };
  if (envelope.apiVersion !== 'v1') return { kind: 'unsupported_version' };
  if (!hasTexts(envelope, ['id', 'type', 'createdAt'])) return { kind: 'malformed' };
  const { type, data } = envelope;
  if (!isObject(data) || !hasTexts(data, dataFieldsOf(type))) return { kind: 'malformed' };
  if (type === 'application.status_changed' && !isTextOrNull(data.sourceApplicationId)) {
    return { kind: 'malformed' };
  }
  return { kind: 'event', event: envelope as unknown as PartnerEvent };
}

function dataFieldsOf(type: unknown): readonly string[] {
  return Object.entries(DATA_FIELDS).find(([known]) => known === type)?.[1] ?? [];
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasTexts(object: Record<string, unknown>, fields: readonly string[]): boolean {
  return fields.every((field) => typeof object[field] === 'string');
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
