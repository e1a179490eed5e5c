import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { EndpointSender, SenderEnd } from './sender.js';

export interface OpenSenders {
  add(sender: EndpointSender): void;
  areOpen(): boolean;
  capacity(): number;
  isFull(): boolean;
  isLeasingWorthwhile(): boolean;
  onIdle(isIdle: boolean): void;
  /** Returns the keys of the endpoints whose lease may have expired. */
  overdue(now: Instant): readonly KeyId[];
  wake(keyIds: ReadonlySet<KeyId> | undefined): boolean;
  endIdle(): void;
  close(): void;
  cut(): void;
  abandon(): void;
  /** Resolves when all senders have ended, including those that are added while it waits. */
  ended(): Promise<void>;
}

/**
 * How many senders may be open per attempt in flight. One transaction records the attempts of several idle
 * senders.
 */
const SENDERS_PER_ATTEMPT = 4;

const IDLE_SHARE_TO_LEASE = 0.5;

/**
 * @param maxBusy - the limit of attempts in flight. A larger number of busy senders would hold leases
 *   without using them.
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
    areOpen: () => senders.size > 0,
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
    cut: each((sender) => sender.cut()),
    abandon: each((sender) => sender.abandon()),
    async ended() {
      while (senders.size > 0) await Promise.all([...senders].map(({ ended }) => ended));
    },
  };
}
