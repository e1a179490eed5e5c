import type { AuditObject } from '../../domain/audit.js';
import type { SeeCompanies } from '../../operator/command/gate-rule.js';
import { findSeenIn, narrowEntry } from '../audit/narrow-audit.js';
import type { Timeline } from './timeline.js';

/** Leaves only these objects in the acts of a timeline, with the names that the partners may see. */
export async function narrowTimeline(
  timeline: Timeline,
  objects: readonly AuditObject[],
  sees: SeeCompanies,
): Promise<Timeline> {
  const acts = timeline.entries.flatMap((entry) => (entry.kind === 'command' ? [entry.auditEntry] : []));
  const seen = await findSeenIn(acts, sees);
  const entries = timeline.entries.map((entry) => {
    if (entry.kind !== 'command') return entry;
    const auditEntry = narrowEntry(entry.auditEntry, objects, seen);
    const { keyId, actor, act } = auditEntry;
    if (keyId !== null) return { ...entry, auditEntry };
    return { ...entry, auditEntry, text: `${actor.name ?? actor.id} called ${act}.` };
  });
  return { ...timeline, entries };
}
