/** The id of a company: `co_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`. Contract: 2.1. */
export type CompanyId = `co_${string}`;
/** The id of a job: `job_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`. Contract: 2.1. */
export type JobId = `job_${string}`;
/** Opaque for partners. Contract: 2.1. */
export type ApplicationId = `ej_app_${string}`;
/** An event's id. It is the same on every delivery attempt. Contract: 10.2. */
export type EventId = `evt_${string}`;
/** The id of an applicant-tracking system: `ptn_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`. */
export type PartnerId = `ptn_${string}`;
/** A partner's identity in one environment, across rotations of its secrets. */
export type KeyId = `key_${string}`;
/** An alert's id. It stays the same when the alert is delivered to the host again. */
export type AlertId = `alr_${string}`;

/** An operation's id. */
export type OperationId = `op_${string}`;

/** An audit entry's id. */
export type AuditId = `aud_${string}`;

/** A started worker's id. */
export type WorkerId = `wkr_${string}`;

/** Prefixes of ids. */
export const ID_PREFIXES = {
  company: 'co_',
  job: 'job_',
  application: 'ej_app_',
  event: 'evt_',
  partner: 'ptn_',
  key: 'key_',
  alert: 'alr_',
  operation: 'op_',
  audit: 'aud_',
  worker: 'wkr_',
} as const;

/** A kind of id. */
export type IdKind = keyof typeof ID_PREFIXES;

/** An id of a kind. */
export type IdOf<Kind extends IdKind> = `${(typeof ID_PREFIXES)[Kind]}${string}`;

const HOST_PART_MAX_LENGTH = 120;
const HOST_PART = new RegExp(`^[A-Za-z0-9_-]{1,${HOST_PART_MAX_LENGTH}}$`);

/** Returns the most characters of an id of a kind. */
export function idMaxLength(kind: IdKind): number {
  return ID_PREFIXES[kind].length + HOST_PART_MAX_LENGTH;
}

/** Describes the ids of a kind, as the end of a sentence. */
export function describeIdForm(kind: IdKind): string {
  return `${ID_PREFIXES[kind]} followed by 1 to ${HOST_PART_MAX_LENGTH} characters of A-Z a-z 0-9 _ -`;
}

/** Returns whether a text is an id: the prefix of its kind, then 1 to 120 characters of `A-Z a-z 0-9 _ -`. */
export function isIdOf<Kind extends IdKind>(kind: Kind, text: string): text is IdOf<Kind> {
  const prefix = ID_PREFIXES[kind];
  return text.startsWith(prefix) && HOST_PART.test(text.slice(prefix.length));
}

/** Identifies an item: the same each time the item is handed over. */
export type InboxItemId = `${ApplicationId}.${number}` | `${ApplicationId}.erased`;
