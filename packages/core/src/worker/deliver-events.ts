import type { KeyId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';
import type { LeasedEndpoint } from '../ports/repositories/endpoints.js';
import type { Repositories } from '../ports/repositories.js';
import { createRenew } from './held-lease.js';
import { isReached } from './is-reached.js';
import { type Lane, type LaneContext, type LaneEnd, openLane } from './lane.js';
import { createLook } from './look.js';
import type { Chore, Found } from './loop.js';
import { createRests } from './rests.js';

/** The chore that sends events. */
export interface Deliverer extends Chore {
  /**
   * Something was committed, for these keys if it is known: their lanes look again. True if each of them has one,
   * so that there is nothing to lease; a lane that ends before it looked says so in the end.
   */
  nudge(keyIds: ReadonlySet<KeyId> | undefined): boolean;
  /** Begins no further attempt and leases nothing more; resolves once what is under way is recorded. */
  close(): Promise<void>;
  /** Lets go of everything, recording nothing more. */
  abandon(): void;
}

/** What the deliverer needs besides what its lanes share. */
export interface DelivererOptions
  extends Omit<LaneContext, 'isTurnOver' | 'mayLinger' | 'onLingering' | 'look' | 'renew'> {
  readonly direct: Repositories;
  /** Told of each batch that failed as a whole, and is run again call by call. */
  onBroken(group: 'look' | 'renewal', size: number, err: unknown): void;
  /** Called when a lane has ended and there may be more to lease. */
  onRoom(): void;
}

/**
 * Lanes that have nothing left to send stay until what they sent is recorded, in one transaction for many. So there may
 * be more lanes than slots: enough of them to fill such a transaction.
 */
const LANES_A_SLOT = 4;

/**
 * More endpoints are leased once this part of the lanes has nothing left to send, or this long after the first of them:
 * one statement leases many, and until then the lanes that go on use the slots.
 */
const ROOM_WORTH_A_LEASE = 0.5;
const GATHER_ROOM_MS = 20;

/** Builds the deliverer: it leases endpoints that have work due and opens a lane for each. */
export function createDeliverer({ onRoom, onBroken, direct, ...shared }: DelivererOptions): Deliverer {
  const { runtime, options } = shared;
  const { clock, random } = runtime;
  // With more lanes that send than slots, some would hold a lease without being able to.
  const maxBusyLanes = options.maxInFlight;
  const maxLanes = maxBusyLanes * LANES_A_SLOT;
  const enoughRoom = Math.ceil(maxBusyLanes * ROOM_WORTH_A_LEASE);
  const lanes = new Set<Lane>();
  let lingeringLanes = 0;
  const rests = createRests(clock, options.leaseMs);
  let isFull = false;
  let isClosing = false;
  let isGatheringRoom = false;
  let waitingForIdle = 0;

  const context: LaneContext = {
    ...shared,
    look: createLook(direct.endpoints, clock, { onBroken: (size, err) => onBroken('look', size, err) }),
    renew: createRenew(direct.endpoints, { onBroken: (size, err) => onBroken('renewal', size, err) }),
    mayLinger: () => waitingForIdle === 0 && lanes.size < maxLanes,
    onLingering(isLingering) {
      lingeringLanes += isLingering ? 1 : -1;
      if (!isLingering || !isFull) return;
      if (maxBusyLanes - busyLanes() >= enoughRoom) onRoom();
      else gatherRoom();
    },
    isTurnOver: (beganAt, now) => isReached(now, beganAt + options.turnMs, options.turnMs) && room() <= 0,
  };

  function room(): number {
    return Math.min(maxBusyLanes - busyLanes(), maxLanes - lanes.size);
  }

  function busyLanes(): number {
    return lanes.size - lingeringLanes;
  }

  async function look(): Promise<Found> {
    const wanted = room();
    isFull = wanted <= 0;
    if (lanes.size >= maxLanes) hurry();
    if (isClosing || isFull) return 'nothing';
    const now = clock.now();
    const token = random.token();
    const lease = { token, forMs: options.leaseMs };
    const leased = await direct.endpoints.lease(lease, now, wanted, leftAlone(now));
    if (isClosing) return letGo(leased, token);
    for (const each of leased) track(openLane(context, each, { token, askedAt: now }));
    if (leased.length === 0) return 'nothing';
    return leased.length === wanted ? 'full' : 'some';
  }

  function gatherRoom(): void {
    if (isGatheringRoom) return;
    isGatheringRoom = true;
    void clock.sleep(GATHER_ROOM_MS).then(() => {
      isGatheringRoom = false;
      onRoom();
    });
  }

  /** Taken beside a lane that slept, an endpoint would get twice what it may, and all that is under way again. */
  function leftAlone(now: Instant): readonly KeyId[] {
    const late = [...lanes].filter((lane) => lane.isLate(now));
    return [...rests.resting(now), ...late.map(({ keyId }) => keyId)];
  }

  async function letGo(leased: readonly LeasedEndpoint[], token: string): Promise<Found> {
    const holdings = leased.map(({ endpoint: { keyId } }) => ({ keyId, token }));
    if (holdings.length > 0) await direct.endpoints.release(holdings);
    return 'nothing';
  }

  function track(lane: Lane): void {
    lanes.add(lane);
    void lane.ended.then((end) => untrack(lane, end));
  }

  function untrack(lane: Lane, end: LaneEnd): void {
    lanes.delete(lane);
    rests.ended(lane.keyId, end);
    if (end.isNudged || isFull) onRoom();
  }

  async function idle(): Promise<void> {
    waitingForIdle += 1;
    hurry();
    while (lanes.size > 0) await Promise.all([...lanes].map(({ ended }) => ended));
    waitingForIdle -= 1;
  }

  /** Lets lanes go that only wait for more. */
  function hurry(): void {
    for (const lane of lanes) lane.hurry();
  }

  return {
    name: 'deliver-events',
    look,
    idle,
    nudge(keyIds) {
      const taken = new Set<KeyId>();
      for (const lane of lanes) {
        if (keyIds !== undefined && !keyIds.has(lane.keyId)) continue;
        lane.nudge(keyIds !== undefined);
        taken.add(lane.keyId);
      }
      return taken.size === keyIds?.size;
    },
    close() {
      isClosing = true;
      for (const lane of lanes) lane.close();
      return idle();
    },
    abandon() {
      for (const lane of lanes) lane.abandon();
    },
  };
}
