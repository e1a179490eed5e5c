/** An enum that may grow within v1. Handle unknown values in a default case. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** Contract: 2.12, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md */
export type ApplicationStatus = Open<'received' | 'in_progress' | 'accepted' | 'rejected'>;

/**
 * Why a job is no longer visible.
 * Contract: 10.6, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export type ClosedReason = Open<'closed_by_customer' | 'access_revoked' | 'internal_sourcing_only'>;

/** Contract: 10.2, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md */
interface Envelope<Type extends string, Data> {
  /** The id of the event. It is the same on every delivery attempt, so you can use it to skip duplicates. */
  readonly id: string;
  readonly type: Type;
  /** When the event occurred, ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly apiVersion: 'v1';
  readonly data: Data;
}

/**
 * An application was accepted or rejected.
 * Contract: 10.3, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export type ApplicationStatusChangedEvent = Envelope<
  'application.status_changed',
  {
    readonly applicationId: string;
    /** Your own id; null if the submission had none. */
    readonly sourceApplicationId: string | null;
    readonly jobId: string;
    readonly oldStatus: ApplicationStatus;
    readonly newStatus: Open<'accepted' | 'rejected'>;
    /** A label to display, such as `Hired`. */
    readonly currentStage: string;
    readonly occurredAt: string;
  }
>;

/**
 * A job became visible to the key.
 * Contract: 10.4, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export type JobOpenedEvent = Envelope<
  'job.opened',
  {
    readonly jobId: string;
    readonly companyId: string;
    readonly title: string;
    readonly openedAt: string;
  }
>;

/**
 * A job stopped being visible to the key.
 * Contract: 10.5, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export type JobClosedEvent = Envelope<
  'job.closed',
  {
    readonly jobId: string;
    readonly companyId: string;
    readonly reason: ClosedReason;
    readonly closedAt: string;
  }
>;

/** The events that this version knows. */
export type KnownEvent = ApplicationStatusChangedEvent | JobOpenedEvent | JobClosedEvent;

/**
 * The type of an event that this version does not know. At runtime, the value is a plain string such as `job.paused`.
 * The template type only helps the compiler to narrow events: TypeScript has no type for "any other string".
 */
export type UnknownEventType = `unknown to this version: ${string}`;

/** An event that a newer v1 added. Answer it with a 2xx and ignore it. */
export type UnknownEvent = Envelope<UnknownEventType, Readonly<Record<string, unknown>>>;

/** A verified event. Compare `type` to narrow it. */
export type PartnerEvent = KnownEvent | UnknownEvent;

/** The only required field of `data` that may be null. */
const NULLABLE = 'sourceApplicationId';

/** The required string fields of each type. */
const DATA_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map<KnownEvent['type'], readonly string[]>([
  [
    'application.status_changed',
    ['applicationId', NULLABLE, 'jobId', 'oldStatus', 'newStatus', 'currentStage', 'occurredAt'],
  ],
  ['job.opened', ['jobId', 'companyId', 'title', 'openedAt']],
  ['job.closed', ['jobId', 'companyId', 'reason', 'closedAt']],
]);

/**
 * Parses a signed body, and checks that the fields exist with their types. Values may grow within v1. Otherwise returns the
 * path of the first field that is wrong, or empty text if the version is not known.
 */
export function readEvent(text: string): PartnerEvent | string {
  const envelope = parse(text);
  const { apiVersion, type, data } = envelope;
  if (typeof apiVersion === 'string' && apiVersion !== 'v1') return '';
  const field =
    missing(envelope, ['id', 'type', 'createdAt', 'apiVersion']) ??
    (isObject(data) ? missing(data, DATA_FIELDS.get(type) ?? [], 'data.') : 'data');
  return field ?? (envelope as unknown as PartnerEvent);
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns an empty object if the text is not JSON. */
function parse(text: string): Fields {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Fields {
  return Object(value) === value && !Array.isArray(value);
}

/** Returns the path of the first field that is not text. */
function missing(object: Fields, fields: readonly string[], path = ''): string | undefined {
  const field = fields.find(
    (name) => typeof object[name] !== 'string' && !(name === NULLABLE && object[name] === null),
  );
  return field && path + field;
}
