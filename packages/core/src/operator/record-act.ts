import type { AuditFields } from '../domain/audit.js';
import type { Instant } from '../domain/time.js';
import type { NewAuditEntry } from '../ports/repositories/audit.js';
import type { IdSource } from '../ports/runtime.js';
import type { Change, RecordedAct, Scope } from './scope.js';

/**
 * Records a change in the audit, in the same commit. Each command calls it after its change, and not if it changes
 * nothing. Does nothing within a larger act.
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
  return { id: ids.next('audit'), at, actor, act, allObjects, keyId, count, filter, before, after };
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
