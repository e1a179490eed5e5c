import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { EndpointSender, SenderEnd } from './endpoint-sender.js';

/** The lanes of a worker that are open. */
export interface OpenSenders {
  /** Adds one that was just opened; it leaves when it has ended. */
  add(sender: EndpointSender): void;
  /** How many more may be opened; 0 or less if none. */
  room(): number;
  /** Whether no further lane may be opened, whatever those that are open do. */
  isFull(): boolean;
  /** Whether so many lanes are done that it is worth a statement to lease as many endpoints. */
  hasRoomWorthALease(): boolean;
  /** One of them has nothing left to send, and lingers; or no longer. */
  onLingering(isLingering: boolean): void;
  /** The endpoints of those whose claim may have run out although they go on. */
  late(now: Instant): readonly KeyId[];
  /** Something was committed for these keys, or nobody knows for which: their lanes look again. True if each has one. */
  wake(keyIds: ReadonlySet<KeyId> | undefined): boolean;
  /** Lets those go that only wait for more. */
  hurry(): void;
  /** They begin no further attempt. */
  close(): void;
  /** They end at once. */
  abandon(): void;
  /** Resolves when none is open, those included that are opened meanwhile. */
  ended(): Promise<void>;
}

/**
 * Lanes that have nothing left to send stay until what they sent is recorded, in one transaction for many. So there may
 * be more lanes than slots: enough of them to fill such a transaction.
 */
const LANES_A_SLOT = 4;

/** More endpoints are leased once this part of the lanes has nothing left to send. */
const ROOM_WORTH_A_LEASE = 0.5;

/**
 * None is open yet.
 *
 * @param maxBusy - with more lanes that send than slots, some would hold a lease without being able to.
 */
export function createOpenSenders(
  maxBusy: number,
  onEnd: (sender: EndpointSender, end: SenderEnd) => void,
): OpenSenders {
  const max = maxBusy * LANES_A_SLOT;
  const enoughRoom = Math.ceil(maxBusy * ROOM_WORTH_A_LEASE);
  const senders = new Set<EndpointSender>();
  let lingering = 0;

  function busyRoom(): number {
    return maxBusy - (senders.size - lingering);
  }

  return {
    add(sender) {
      senders.add(sender);
      void sender.ended.then((end) => {
        senders.delete(sender);
        onEnd(sender, end);
      });
    },
    room: () => Math.min(busyRoom(), max - senders.size),
    isFull: () => senders.size >= max,
    hasRoomWorthALease: () => busyRoom() >= enoughRoom,
    onLingering(isLingering) {
      lingering += isLingering ? 1 : -1;
    },
    late: (now) => [...senders].filter((sender) => sender.isLate(now)).map(({ keyId }) => keyId),
    wake(keyIds) {
      const taken = new Set<KeyId>();
      for (const sender of senders) {
        if (keyIds !== undefined && !keyIds.has(sender.keyId)) continue;
        sender.wake(keyIds !== undefined);
        taken.add(sender.keyId);
      }
      return taken.size === keyIds?.size;
    },
    hurry() {
      for (const sender of senders) sender.hurry();
    },
    close() {
      for (const sender of senders) sender.close();
    },
    abandon() {
      for (const sender of senders) sender.abandon();
    },
    async ended() {
      while (senders.size > 0) await Promise.all([...senders].map(({ ended }) => ended));
    },
  };
}
