import type { ApplicationRecord } from '../domain/application.js';
import { tellsOf } from '../domain/inbox.js';
import type { Scope } from './scope.js';

/** Tells the host of a change that its own code has not made. */
export async function tellHost(
  { tx, actor, workIsDue }: Scope,
  from: ApplicationRecord,
  to: ApplicationRecord,
): Promise<void> {
  if (actor.door === 'library' || from.erasedAt !== null) return;
  const door = tellsOf(await tx.inbox.changes(), actor);
  if (door === null) return;
  const progress = ({ status, stage }: ApplicationRecord) => ({ status, stage });
  const change = { from: progress(from), to: progress(to), by: actor.id, door };
  const { id: applicationId, keyId, changedAt: at } = to;
  await tx.inbox.add([{ applicationId, keyId, at, kind: 'application.changed', change }]);
  workIsDue();
}
