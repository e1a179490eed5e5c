import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { EndpointSender, SenderEnd } from './endpoint-sender.js';

/** The open senders of a worker. */
export interface OpenSenders {
  /** Adds a sender until it ends. */
  add(sender: EndpointSender): void;
  /** Returns how many more senders may be opened; may be negative. */
  capacity(): number;
  /** Whether no sender may be opened, not even beside idle ones. */
  isFull(): boolean;
  /** Whether enough senders are idle to fill a lease statement. */
  isLeasingWorthwhile(): boolean;
  /** Counts a sender that becomes idle, or busy again. */
  onIdle(isIdle: boolean): void;
  /** Returns the endpoints whose lease may have expired while their sender goes on. */
  overdue(now: Instant): readonly KeyId[];
  /** Makes the senders of these keys, or all senders, poll. True if every key has a sender. */
  wake(keyIds: ReadonlySet<KeyId> | undefined): boolean;
  /** Ends the senders that are idle. */
  endIdle(): void;
  /** Stops new attempts. */
  close(): void;
  /** Ends all senders at once. */
  abandon(): void;
  /** Resolves when all senders have ended, including those added meanwhile. */
  ended(): Promise<void>;
}

/**
 * An idle sender stays until its attempts are recorded, in one transaction with others. This many senders per possible
 * attempt fill such a transaction.
 */
const SENDERS_PER_ATTEMPT = 4;

/** The share of idle senders that justifies a lease statement. */
const IDLE_SHARE_TO_LEASE = 0.5;

/**
 * Creates an empty set of senders.
 *
 * @param maxBusy - the attempts that may be in flight. More busy senders would hold leases that they cannot use.
 */
export function createOpenSenders(
  maxBusy: number,
  onEnd: (sender: EndpointSender, end: SenderEnd) => void,
): OpenSenders {
  const max = maxBusy * SENDERS_PER_ATTEMPT;
  const enough = Math.ceil(maxBusy * IDLE_SHARE_TO_LEASE);
  const senders = new Set<EndpointSender>();
  let idle = 0;

  function busyCapacity(): number {
    return maxBusy - (senders.size - idle);
  }

  function each(apply: (sender: EndpointSender) => void): () => void {
    return () => {
      for (const sender of senders) apply(sender);
    };
  }

  return {
    add(sender) {
      senders.add(sender);
      void sender.ended.then((end) => {
        senders.delete(sender);
        onEnd(sender, end);
      });
    },
    capacity: () => Math.min(busyCapacity(), max - senders.size),
    isFull: () => senders.size >= max,
    isLeasingWorthwhile: () => busyCapacity() >= enough,
    onIdle(isIdle) {
      idle += isIdle ? 1 : -1;
    },
    overdue: (now) => [...senders].filter((sender) => sender.isOverdue(now)).map(({ keyId }) => keyId),
    wake(keyIds) {
      const woken = new Set<KeyId>();
      for (const sender of senders) {
        if (keyIds !== undefined && !keyIds.has(sender.keyId)) continue;
        sender.wake(keyIds !== undefined);
        woken.add(sender.keyId);
      }
      return woken.size === keyIds?.size;
    },
    endIdle: each((sender) => sender.endIfIdle()),
    close: each((sender) => sender.close()),
    abandon: each((sender) => sender.abandon()),
    async ended() {
      while (senders.size > 0) await Promise.all([...senders].map(({ ended }) => ended));
    },
  };
}
