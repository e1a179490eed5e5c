import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Lane, LaneEnd } from './lane.js';

/** The lanes of a worker that are open. */
export interface OpenLanes {
  /** Adds one that was just opened; it leaves when it has ended. */
  add(lane: Lane): void;
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
  nudge(keyIds: ReadonlySet<KeyId> | undefined): boolean;
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
export function createOpenLanes(maxBusy: number, onEnd: (lane: Lane, end: LaneEnd) => void): OpenLanes {
  const max = maxBusy * LANES_A_SLOT;
  const enoughRoom = Math.ceil(maxBusy * ROOM_WORTH_A_LEASE);
  const lanes = new Set<Lane>();
  let lingering = 0;

  function busyRoom(): number {
    return maxBusy - (lanes.size - lingering);
  }

  return {
    add(lane) {
      lanes.add(lane);
      void lane.ended.then((end) => {
        lanes.delete(lane);
        onEnd(lane, end);
      });
    },
    room: () => Math.min(busyRoom(), max - lanes.size),
    isFull: () => lanes.size >= max,
    hasRoomWorthALease: () => busyRoom() >= enoughRoom,
    onLingering(isLingering) {
      lingering += isLingering ? 1 : -1;
    },
    late: (now) => [...lanes].filter((lane) => lane.isLate(now)).map(({ keyId }) => keyId),
    nudge(keyIds) {
      const taken = new Set<KeyId>();
      for (const lane of lanes) {
        if (keyIds !== undefined && !keyIds.has(lane.keyId)) continue;
        lane.nudge(keyIds !== undefined);
        taken.add(lane.keyId);
      }
      return taken.size === keyIds?.size;
    },
    hurry() {
      for (const lane of lanes) lane.hurry();
    },
    close() {
      for (const lane of lanes) lane.close();
    },
    abandon() {
      for (const lane of lanes) lane.abandon();
    },
    async ended() {
      while (lanes.size > 0) await Promise.all([...lanes].map(({ ended }) => ended));
    },
  };
}
