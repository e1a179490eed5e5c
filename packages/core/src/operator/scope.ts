import type { ApplicationRecord, MoveRules } from '../domain/application.js';
import type { Act, Actor, AuditFields, AuditObject } from '../domain/audit.js';
import type { AttemptEnd } from '../domain/delivery.js';
import type { StoredEndpoint } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import type { StoredReply } from '../domain/idempotency.js';
import type { AuditId, KeyId, PartnerId } from '../domain/ids.js';
import type { Environment } from '../domain/partner-key.js';
import type { RateLimits } from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
import type { AddedDetails } from '../features/application-details.js';
import type { FeatureSettings } from '../features/settings.js';
import type { GuardedSecretBox, PhoneNumbers, WebhookTransport } from '../ports/host-services.js';
import type { NewAuditEntry } from '../ports/repositories/audit.js';
import type { IdSource, Runtime } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { StorageClock } from '../storage-clock.js';

/** The rule for which URLs an endpoint may have. */
export interface UrlPolicy {
  /** Contract: 12.1. */
  readonly allowPlainHttp: boolean;
}

export type SendOnce = (endpoint: StoredEndpoint, event: PartnerEvent) => Promise<AttemptEnd>;

export interface OperatorSettings extends FeatureSettings {
  /** What features do in the commands of others. */
  readonly hooks: readonly OperatorHooks[];
  readonly runtime: Runtime;
  readonly storageClock: StorageClock;
  readonly secretBox: GuardedSecretBox;
  readonly rules: MoveRules;
  readonly urlPolicy: UrlPolicy;
  readonly sendOnce: SendOnce;
  /** Posts a request to an endpoint, as deliveries do. */
  readonly post: WebhookTransport['post'];
  readonly rateLimits: RateLimits;
  /** The version of `@partner-hiring/core`. */
  readonly release: string;
  /** The deployment of this process. By default it has none. */
  readonly deployment?: string | null | undefined;
  readonly maxInFlightPerEndpoint: number;
  readonly phones: PhoneNumbers;
  /** Returns a stored 201 without the partner's own id of the application. */
  readonly withoutSourceId: (reply: StoredReply) => StoredReply;
}

/** A key that is about to be issued. */
export interface KeyToIssue {
  readonly partnerId: PartnerId;
  readonly environment: Environment;
  readonly override?: { readonly reason: string } | undefined;
}

/** An application before and after a change. */
export interface ChangedApplication {
  readonly before: ApplicationRecord;
  readonly after: ApplicationRecord;
}

/** The work of a feature in the commands of others. Hooks run in the order of the list of features. */
export interface OperatorHooks {
  /**
   * Called before a key is issued, with its partner locked. Returns what the audit records of it.
   * @throws OperatorError if the key must not be issued.
   */
  readonly keyIssuing?: (scope: Scope, key: KeyToIssue) => Promise<AuditFields>;
  /** Called last of all, because it may lock the feed of the key until the commit. */
  readonly keyIssued?: (
    scope: Scope,
    key: { readonly id: KeyId; readonly environment: Environment },
  ) => Promise<void>;
  /** Called after the change of applications by a command, in its transaction. */
  readonly moved?: (scope: Scope, changes: readonly ChangedApplication[]) => Promise<void>;
  /** Returns what it adds to an application that a command shows. */
  readonly shown?: (read: Repositories, application: ApplicationRecord) => Promise<AddedDetails>;
}

/** The change that a command has made. It must not contain secrets or a candidate's data. */
export interface Change {
  /** The main object first. */
  readonly objects: readonly [AuditObject, ...AuditObject[]];
  /** The entry of a command with many commits. Each commit adds its objects and its count. */
  readonly entryId?: AuditId;
  readonly keyId?: KeyId | null;
  readonly count?: number;
  readonly filter?: AuditFields;
  readonly before?: AuditFields;
  readonly after?: AuditFields;
}

/** A change, with who made it by which command. */
export interface RecordedAct {
  readonly act: Act;
  readonly actor: Actor;
  readonly change: Change;
}

export interface Scope extends OperatorSettings {
  readonly tx: Repositories;
  /** Returns the time by the storage's clock, cached or read in the transaction. */
  now(): Promise<Instant>;
  /** Wakes the worker after the commit. Pass key ids if the commit only adds events of these keys. */
  workIsDue(keyIds?: readonly KeyId[]): void;
  readonly actor: Actor;
  /** The command. Null for a part of a larger act, and for work that is no act. */
  readonly act: Act | null;
  /** The acts that the audit records before the commit: see `recordAct`. */
  readonly acts: RecordedAct[];
}

/**
 * Checks, in the transaction of an act, that the credential with which the act began still works.
 * @throws OperatorError `CREDENTIAL_ENDED`
 */
export type Permit = (scope: Scope) => Promise<void>;

export interface Runner {
  /**
   * Runs a command, and commits its changes together with their audit entries. A command checks before it writes, so a
   * host can commit even after an error.
   */
  run<T>(act: Act | null, command: (scope: Scope) => Promise<T>): Promise<T>;
  readonly read: Repositories;
  now(): Promise<Instant>;
  readonly settings: OperatorSettings;
}

/**
 * Records a change in the audit, in the same commit. A command calls it after its change. A command that changes
 * nothing does not call it. Within a larger act, the call does nothing.
 */
export function recordAct({ act, actor, acts }: Scope, change: Change): void {
  if (act !== null) acts.push({ act, actor, change });
}

/** Returns a scope for commands that are a part of a larger act, which records the whole. */
export function withinAct(scope: Scope): Scope {
  return { ...scope, act: null };
}

export function toAuditEntry({ act, actor, change }: RecordedAct, ids: IdSource, at: Instant): NewAuditEntry {
  const { objects, keyId = null, count = null, filter = null, before = null, after = null } = change;
  const distinct = new Map(objects.map((object) => [`${object.kind} ${object.id}`, object]));
  const allObjects = [...distinct.values()];
  const { entryId = ids.next('audit') } = change;
  return { id: entryId, at, actor, act, allObjects, keyId, count, filter, before, after };
}

/** Returns the fields that differ, before and after. */
export function changedFields<Fields extends AuditFields>(
  before: Fields,
  after: Fields,
): { readonly before: AuditFields; readonly after: AuditFields } {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (fields: AuditFields) => Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { before: pick(before), after: pick(after) };
}
