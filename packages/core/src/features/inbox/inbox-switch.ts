import type { AuditObject } from '../../domain/audit.js';
import { changedFields, recordAct, type Scope } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import type { InboxCounts } from './repository.js';
import type { InboxChanges } from './rules.js';

/** The state of the inbox. */
export interface InboxStatus extends InboxCounts {
  /** Whether new applications are recorded for the host. */
  readonly isOn: boolean;
  /** Which changes of applications are recorded as `application.changed`. */
  readonly changes: InboxChanges;
}

/** Whether the inbox is on, and what it records besides new applications, résumés and erasures. */
export interface InboxSwitch {
  /** Whether new applications are recorded for the host. */
  readonly on: boolean;
  /** As the option `inbox.changes`; default: as it is, `staff` at first. */
  readonly changes?: InboxChanges | undefined;
}

export const INBOX: AuditObject = { kind: 'inbox', id: 'inbox' };

export async function readInboxStatus({ inbox }: Pick<Repositories, 'inbox'>): Promise<InboxStatus> {
  return { isOn: await inbox.isOn(), changes: await inbox.changes(), ...(await inbox.counts()) };
}

export async function turnInbox(
  scope: Scope,
  { on: isOn, changes: wanted }: InboxSwitch,
): Promise<{ readonly changed: boolean }> {
  const { inbox } = scope.tx;
  const wasOn = await inbox.isOn();
  const had = await inbox.changes();
  const changes = wanted ?? had;
  const isTurned = await inbox.turn(isOn);
  const isChosen = await inbox.choose(changes);
  if (!isTurned && !isChosen) return { changed: false };
  const { before, after } = changedFields({ isOn: wasOn, changes: had }, { isOn, changes });
  recordAct(scope, { objects: [INBOX], before, after });
  return { changed: true };
}
