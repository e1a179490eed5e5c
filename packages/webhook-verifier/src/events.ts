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

/** The one field that may be null. */
const NULLABLE = 'sourceApplicationId';

/** What an event's data must hold as texts, beside what v1 may add. */
const DATA_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map<KnownEvent['type'], readonly string[]>([
  [
    'application.status_changed',
    ['applicationId', NULLABLE, 'jobId', 'oldStatus', 'newStatus', 'currentStage', 'occurredAt'],
  ],
  ['job.opened', ['jobId', 'companyId', 'title', 'openedAt']],
  ['job.closed', ['jobId', 'companyId', 'reason', 'closedAt']],
]);

/**
 * Reads an envelope from a signed body, or says why it is none: its fields are there and of their types. Values
 * may grow within v1.
 */
export function readEvent(text: string): PartnerEvent | 'malformed_body' | 'unsupported_version' {
  const envelope = parse(text);
  const { apiVersion, type, data } = envelope;
  if (typeof apiVersion === 'string' && apiVersion !== 'v1') return 'unsupported_version';
  return hasTexts(envelope, ['id', 'type', 'createdAt', 'apiVersion']) &&
    isObject(data) &&
    hasTexts(data, DATA_FIELDS.get(type) ?? [])
    ? (envelope as unknown as PartnerEvent)
    : 'malformed_body';
}

type Fields = Readonly<Record<string, unknown>>;

/** What a text says in JSON; nothing if it is none. What is no object has none of the fields. */
function parse(text: string): Fields {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** Whether a value of JSON is an object. */
function isObject(value: unknown): value is Fields {
  return Object(value) === value && !Array.isArray(value);
}

function hasTexts(object: Fields, fields: readonly string[]): boolean {
  return fields.every(
    (field) => typeof object[field] === 'string' || (field === NULLABLE && object[field] === null),
  );
}
