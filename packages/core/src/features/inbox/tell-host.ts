import type { ApplicationRecord } from '../../domain/application.js';
import type { ChangedApplication, Scope } from '../../operator/scope.js';
import { tellsOf } from './rules.js';

/** Tells the host of changes that its own code has not made. */
export async function tellHost(
  { tx, actor, workIsDue }: Scope,
  changes: readonly ChangedApplication[],
): Promise<void> {
  const kept = changes.filter(({ before }) => before.erasedAt === null);
  if (actor.door === 'library' || kept.length === 0) return;
  const door = tellsOf(await tx.inbox.changes(), actor);
  if (door === null) return;
  const progress = ({ status, stage }: ApplicationRecord) => ({ status, stage });
  await tx.inbox.add(
    kept.map(({ before, after }) => ({
      applicationId: after.id,
      keyId: after.keyId,
      at: after.changedAt,
      kind: 'application.changed',
      change: { from: progress(before), to: progress(after), by: actor.id, door },
    })),
  );
  workIsDue();
}
