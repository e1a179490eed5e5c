import type { PauseReason } from './endpoint.js';
import type { AuditId, KeyId, PartnerId } from './ids.js';
import { DAY_MS, type Instant } from './time.js';

/**
 * The way that an act came: `library`, a command that the host's code called; `api`, a request with a partner's API
 * key; `portal` and `console`, their pages; `command_line`; or `automatic`, an act of the library itself. Pages of your
 * own act through `library`, unless you call `operator.through`.
 */
export type Door = 'library' | 'api' | 'portal' | 'console' | 'command_line' | 'automatic';

/** The person or program that acts. */
export interface Actor {
  /** The host's own id of the person or the program, such as `user_42`. */
  readonly id: string;
  /** The name of the person or the program; null if the host gave none. */
  readonly name: string | null;
  /** Why the actor acts, such as a ticket; null if the host gave none. */
  readonly reason: string | null;
  readonly door: Door;
}

/** The actor of commands that name none. */
export const HOST_ACTOR: Actor = { id: 'host', name: null, reason: null, door: 'library' };

/** Ids of automatic actors start like this. The host cannot use them. */
export const SYSTEM_PREFIX = 'system:';

/** Returns the actor of an automatic act. */
export function systemActor(part: 'auto-pause' | 'jobs-sync' | 'retention' | 'sandbox'): Actor {
  return { id: `${SYSTEM_PREFIX}${part}`, name: null, reason: null, door: 'automatic' };
}

/** Ids of partners that act on their own behalf start like this. The host cannot use them. */
export const PARTNER_PREFIX = 'partner:';

/** Returns the actor of what a partner does with its API key or in the portal. */
export function partnerActor(
  partnerId: PartnerId,
  { name, door, reason = null }: Pick<Actor, 'name' | 'door'> & { readonly reason?: string | null },
): Actor {
  return { id: `${PARTNER_PREFIX}${partnerId}`, name, reason, door };
}

/** Returns whether a partner acts on its own behalf. */
export function isPartnerActor({ id }: Actor): boolean {
  return id.startsWith(PARTNER_PREFIX);
}

/** How long audit entries are kept, in milliseconds. Longer than a year, so that yearly reviews see all of it. */
export const AUDIT_MS = 400 * DAY_MS;

/**
 * The name of a recorded command, such as `jobs.close`. Commands that change something are recorded, and also
 * `candidates.reveal` and `audit.recordExport`. An automatic act has the name of the command that does the same.
 */
export type Act = `${string}.${string}`;

/** The kinds of objects that commands change. */
export const AUDIT_OBJECT_KINDS = [
  'partner',
  'key',
  'company',
  'job',
  'application',
  'endpoint',
  'delivery',
  'operation',
  'inbox',
  'list',
  'deployment',
] as const;

/** A kind of object. */
export type AuditObjectKind = (typeof AUDIT_OBJECT_KINDS)[number];

/**
 * An object of an act. An endpoint has the id of its key, a delivery the id of its event, the inbox the id `inbox`, and
 * an exported list its name.
 */
export interface AuditObject {
  readonly kind: AuditObjectKind;
  readonly id: string;
}

/** Some fields of an object, as small JSON. They contain no personal data of candidates and no secrets. */
export type AuditFields = Readonly<Record<string, unknown>>;

/** A command: its changes, and its actor. A command with many commits has one entry, which grows with each. */
export interface AuditEntry {
  readonly id: AuditId;
  readonly at: Instant;
  readonly actor: Actor;
  readonly act: Act;
  /** The main object comes first. At most 20 are named: `audit.find` returns all, and `audit.list` finds the entry by each. */
  readonly objects: readonly AuditObject[];
  /** The key that owns the objects; null if no key owns them, or if several keys do. */
  readonly keyId: KeyId | null;
  /** How many rows a command on many rows has changed so far; otherwise null. */
  readonly count: number | null;
  /** The selection of a command on many rows; otherwise null. */
  readonly filter: AuditFields | null;
  /** The changed fields before; null for a new object. */
  readonly before: AuditFields | null;
  /** The changed fields after; null if the entry names no changed field. */
  readonly after: AuditFields | null;
}

/** Returns the state of an endpoint that is paused for this reason, or active if it is null. */
export function pauseFields(reason: PauseReason | null): AuditFields {
  return reason === null ? { state: 'active' } : { state: 'paused', pausedReason: reason };
}
