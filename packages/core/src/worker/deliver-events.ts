import type { KeyId } from '../domain/ids.js';
import type { LeasedEndpoint } from '../ports/repositories/endpoints.js';
import type { Repositories } from '../ports/repositories.js';
import { createGatherRoom } from './deliver-events/gather-room.js';
import { createRenew } from './deliver-events/lane/held-lease.js';
import { type LaneContext, openLane } from './deliver-events/lane.js';
import { createLook } from './deliver-events/look.js';
import { createOpenLanes } from './deliver-events/open-lanes.js';
import { createRests } from './deliver-events/rests.js';
import { isReached } from './is-reached.js';
import type { Chore, Found } from './loop.js';

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

/** Builds the deliverer: it leases endpoints that have work due and opens a lane for each. */
export function createDeliverer({ onRoom, onBroken, direct, ...shared }: DelivererOptions): Deliverer {
  const { runtime, storageClock, options } = shared;
  const { clock, random } = runtime;
  const gatherRoom = createGatherRoom(clock, onRoom);
  const rests = createRests(clock, options.leaseMs);
  /** Whether the last look had no room to lease. */
  let wasFull = false;
  let isClosing = false;
  let waitingForIdle = 0;

  const lanes = createOpenLanes(options.maxInFlight, ({ keyId }, end) => {
    rests.ended(keyId, end);
    if (end.isNudged || wasFull) onRoom();
  });
  const context: LaneContext = {
    ...shared,
    look: createLook(direct.endpoints, storageClock, {
      onBroken: (size, err) => onBroken('look', size, err),
    }),
    renew: createRenew(direct.endpoints, { onBroken: (size, err) => onBroken('renewal', size, err) }),
    mayLinger: () => waitingForIdle === 0 && !lanes.isFull(),
    onLingering(isLingering) {
      lanes.onLingering(isLingering);
      if (!isLingering || !wasFull) return;
      if (lanes.hasRoomWorthALease()) onRoom();
      else gatherRoom();
    },
    isTurnOver: (beganAt, now) =>
      isReached(now, beganAt + options.turnMs, options.turnMs) && lanes.room() <= 0,
  };

  async function look(): Promise<Found> {
    const dueBy = await storageClock.sync();
    const wanted = lanes.room();
    wasFull = wanted <= 0;
    if (lanes.isFull()) lanes.hurry();
    if (isClosing || wasFull) return 'nothing';
    // A correction of the storage's time must not lengthen a lease or a rest: they are on this process's clock.
    const askedAt = clock.now();
    const token = random.token();
    // Taken beside a lane that slept, an endpoint would get twice what it may, and all that is under way again.
    const leftAlone = [...rests.resting(askedAt), ...lanes.late(askedAt)];
    const lease = { token, forMs: options.leaseMs };
    const leased = await direct.endpoints.lease(lease, dueBy, wanted, leftAlone);
    if (isClosing) {
      await letGo(direct, leased, token);
      return 'nothing';
    }
    for (const each of leased) lanes.add(openLane(context, each, { token, askedAt }));
    if (leased.length === 0) return 'nothing';
    return leased.length === wanted ? 'full' : 'some';
  }

  async function idle(): Promise<void> {
    waitingForIdle += 1;
    lanes.hurry();
    await lanes.ended();
    waitingForIdle -= 1;
  }

  return {
    name: 'deliver-events',
    look,
    idle,
    nudge: lanes.nudge,
    close() {
      isClosing = true;
      lanes.close();
      return idle();
    },
    abandon: lanes.abandon,
  };
}

async function letGo(
  { endpoints }: Repositories,
  leased: readonly LeasedEndpoint[],
  token: string,
): Promise<void> {
  const holdings = leased.map(({ endpoint: { keyId } }) => ({ keyId, token }));
  if (holdings.length > 0) await endpoints.release(holdings);
}
