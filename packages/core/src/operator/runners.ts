import type { Act, Actor } from '../domain/audit.js';
import type { KeyId } from '../domain/ids.js';
import type { NewAuditEntry } from '../ports/repositories/audit.js';
import type { Storage } from '../ports/storage.js';
import type { OperatorSettings, Permit, RecordedAct, Runner, Scope } from './scope.js';
import { toAuditEntry } from './scope.js';

export interface OperatorOptions<HostTx> extends OperatorSettings {
  readonly storage: Storage<HostTx>;
  /** Called after a commit. If it gets key ids, the commit only added events of these keys. */
  readonly onCommitted?: (keyIds?: ReadonlySet<KeyId>) => void;
  /** Called after a command in a transaction of the host, if work is due once the host commits. */
  readonly onPending?: () => void;
  /** Writes the part of the request log that this process still has in memory. */
  readonly flushRequests?: (() => Promise<void>) | undefined;
}

/**
 * Runs each command in its own transaction.
 * @param permit - is asked in each transaction before the command runs.
 */
export function separateTransactions<HostTx>(
  options: OperatorOptions<HostTx>,
  actor: Actor,
  permit?: Permit,
): Runner {
  const { storage, onCommitted, onPending: __, flushRequests: _, ...settings } = options;
  const { storageClock } = settings;
  return {
    read: storage.direct,
    now: () => storageClock.sync(),
    settings,
    async run(act, command) {
      const { due, workIsDue } = watchWork();
      const result = await storage.transaction(async (tx) => {
        const now = () => storageClock.sync(tx.time);
        const ended = await runAudited({ ...settings, tx, now, workIsDue, actor }, act, command, permit);
        // Events announce themselves.
        if (due.isMore) await tx.work.announce();
        return ended;
      });
      if (due.isMore) onCommitted?.();
      else if (due.events.size > 0) onCommitted?.(due.events);
      return result;
    },
  };
}

/**
 * Runs commands in the host's transaction. Only the host knows when it commits, so the worker is told in advance that
 * work may come.
 */
export function hostTransaction<HostTx>(
  options: OperatorOptions<HostTx>,
  hostTx: HostTx,
  actor: Actor,
): Runner {
  const { storage, onCommitted: _, onPending, flushRequests: __, ...settings } = options;
  const tx = storage.within(hostTx);
  const now = () => settings.storageClock.sync(tx.time);
  return {
    read: tx,
    now,
    settings,
    async run(act, command) {
      const { due, workIsDue } = watchWork();
      const result = await runAudited({ ...settings, tx, now, workIsDue, actor }, act, command);
      if (due.isMore) await tx.work.announce();
      if (due.isMore || due.events.size > 0) onPending?.();
      return result;
    },
  };
}

/** Notes the work that a command causes: events of keys, or more. */
function watchWork() {
  const due = { events: new Set<KeyId>(), isMore: false };
  const workIsDue = (keyIds?: readonly KeyId[]) => {
    if (keyIds === undefined) due.isMore = true;
    else for (const keyId of keyIds) due.events.add(keyId);
  };
  return { due, workIsDue };
}

/** Runs a command, then adds its audit entries with one statement. A command with many commits grows its entry. */
async function runAudited<T>(
  scope: Omit<Scope, 'act' | 'acts'>,
  act: Act | null,
  command: (scope: Scope) => Promise<T>,
  permit?: Permit,
): Promise<T> {
  const acts: RecordedAct[] = [];
  const whole = { ...scope, act, acts };
  await permit?.(whole);
  const result = await command(whole);
  if (acts.length > 0) {
    const at = await scope.now();
    const added: NewAuditEntry[] = [];
    for (const each of acts) {
      const entry = toAuditEntry(each, scope.runtime.ids, at);
      if (each.change.entryId === undefined) added.push(entry);
      else await scope.tx.audit.grow(entry);
    }
    if (added.length > 0) await scope.tx.audit.add(added);
  }
  return result;
}
