import type { KeyId } from '../domain/ids.js';
import type { LeasedEndpoint } from '../ports/repositories/endpoints.js';
import type { Repositories } from '../ports/storage.js';
import { createCoalescedLeasing } from './deliver-events/coalesced-leasing.js';
import { createCooldowns } from './deliver-events/cooldowns.js';
import { openSender, type SenderContext } from './deliver-events/endpoint-sender.js';
import { createOpenSenders } from './deliver-events/open-senders.js';
import { createPoll } from './deliver-events/poll.js';
import { createRenew } from './deliver-events/sender/held-lease.js';
import { isReached } from './is-reached.js';
import type { Found, PeriodicTask } from './loop.js';

/** The chore that sends events. */
export interface Deliverer extends PeriodicTask {
  /**
   * Something was committed, for these keys if it is known: their lanes look again. True if each of them has one,
   * so that there is nothing to lease; a lane that ends before it looked says so in the end.
   */
  wake(keyIds: ReadonlySet<KeyId> | undefined): boolean;
  /** Begins no further attempt and leases nothing more; resolves once what is under way is recorded. */
  close(): Promise<void>;
  /** Lets go of everything, recording nothing more. */
  abandon(): void;
}

/** What the deliverer needs besides what its lanes share. */
export interface DelivererOptions
  extends Omit<SenderContext, 'isTurnOver' | 'mayLinger' | 'onLingering' | 'poll' | 'renew'> {
  readonly direct: Repositories;
  /** Told of each batch that failed as a whole, and is run again call by call. */
  onBroken(batcher: 'poll' | 'renewal', size: number, err: unknown): void;
  /** Called when a lane has ended and there may be more to lease. */
  onRoom(): void;
}

/** Builds the deliverer: it leases endpoints that have work due and opens a lane for each. */
export function createDeliverer({ onRoom, onBroken, direct, ...shared }: DelivererOptions): Deliverer {
  const { runtime, storageClock, options } = shared;
  const { clock, random } = runtime;
  const leaseLater = createCoalescedLeasing(clock, onRoom);
  const cooldowns = createCooldowns(clock, options.leaseMs);
  /** Whether the last look had no room to lease. */
  let wasFull = false;
  let isClosing = false;
  let waitingForIdle = 0;

  const senders = createOpenSenders(options.maxInFlight, ({ keyId }, end) => {
    cooldowns.ended(keyId, end);
    if (end.isWoken || wasFull) onRoom();
  });
  const context: SenderContext = {
    ...shared,
    poll: createPoll(direct.endpoints, storageClock, {
      onBroken: (size, err) => onBroken('poll', size, err),
    }),
    renew: createRenew(direct.endpoints, { onBroken: (size, err) => onBroken('renewal', size, err) }),
    mayLinger: () => waitingForIdle === 0 && !senders.isFull(),
    onLingering(isLingering) {
      senders.onLingering(isLingering);
      if (!isLingering || !wasFull) return;
      if (senders.hasRoomWorthALease()) onRoom();
      else leaseLater();
    },
    isTurnOver: (beganAt, now) =>
      isReached(now, beganAt + options.turnMs, options.turnMs) && senders.room() <= 0,
  };

  async function poll(): Promise<Found> {
    const dueBy = await storageClock.sync();
    const wanted = senders.room();
    wasFull = wanted <= 0;
    if (senders.isFull()) senders.hurry();
    if (isClosing || wasFull) return 'nothing';
    // A correction of the storage's time must not lengthen a lease or a rest: they are on this process's clock.
    const askedAt = clock.now();
    const token = random.token();
    // Taken beside a lane that slept, an endpoint would get twice what it may, and all that is under way again.
    const leftAlone = [...cooldowns.resting(askedAt), ...senders.late(askedAt)];
    const lease = { token, forMs: options.leaseMs };
    const leased = await direct.endpoints.lease(lease, dueBy, wanted, leftAlone);
    if (isClosing) {
      await letGo(direct, leased, token);
      return 'nothing';
    }
    for (const each of leased) senders.add(openSender(context, each, { token, askedAt }));
    if (leased.length === 0) return 'nothing';
    return leased.length === wanted ? 'full' : 'some';
  }

  async function idle(): Promise<void> {
    waitingForIdle += 1;
    senders.hurry();
    await senders.ended();
    waitingForIdle -= 1;
  }

  return {
    name: 'deliver-events',
    poll,
    idle,
    wake: senders.wake,
    close() {
      isClosing = true;
      senders.close();
      return idle();
    },
    abandon: senders.abandon,
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
