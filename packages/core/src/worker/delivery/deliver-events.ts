import { createBatcher } from '../../batcher.js';
import type { KeyId } from '../../domain/ids.js';
import { type Instant, isReached } from '../../domain/time.js';
import type { LeasedEndpoint } from '../../ports/repositories/endpoints.js';
import type { Clock } from '../../ports/runtime.js';
import type { Repositories } from '../../ports/storage.js';
import type { Found, PeriodicTask } from '../loop.js';
import { createCooldowns } from './cooldowns.js';
import { type EndpointSender, openSender, type SenderContext, type SenderEnd } from './sender.js';

export interface Deliverer extends PeriodicTask {
  /** Wakes the senders of these keys, or all senders. Returns true if every given key has a sender. */
  wake(keyIds: ReadonlySet<KeyId> | undefined): boolean;
  /** Resolves when the attempts in flight have ended and are recorded. */
  close(): Promise<void>;
  abandon(): void;
}

export interface DelivererOptions
  extends Omit<SenderContext, 'isSliceOver' | 'mayIdle' | 'onIdle' | 'poll' | 'renew'> {
  readonly direct: Repositories;
  onBroken(batcher: 'poll' | 'renewal', size: number, err: unknown): void;
  onCapacity(): void;
}

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { onCapacity, onBroken, direct, ...shared } = options;
  const { runtime, storageClock } = shared;
  const { clock, random } = runtime;
  const { leaseMs, maxInFlight } = shared.options;
  const leaseLater = createCoalescedLeasing(clock, onCapacity);
  const cooldowns = createCooldowns(clock, leaseMs);
  let wasFull = false;
  let isClosing = false;
  let isCut = false;
  let idleWaiters = 0;

  const senders = createOpenSenders(maxInFlight, ({ keyId }, end) => {
    cooldowns.ended(keyId, end);
    if (end.isWoken || wasFull) onCapacity();
  });
  const context: SenderContext = {
    ...shared,
    onIdle(isIdle) {
      senders.onIdle(isIdle);
      if (!isIdle || !wasFull) return;
      if (senders.isLeasingWorthwhile()) onCapacity();
      else leaseLater();
    },
    // The storage's clock decides which deliveries are due.
    poll: createBatcher(async (asked) => direct.endpoints.poll(asked, await storageClock.sync()), {
      onBroken: (size, err) => onBroken('poll', size, err),
    }),
    renew: createBatcher((leases) => direct.endpoints.renew(leases), {
      onBroken: (size, err) => onBroken('renewal', size, err),
    }),
    mayIdle: () => idleWaiters === 0 && !senders.isFull(),
    isSliceOver: (beganAt, now) =>
      isReached(now, beganAt + shared.options.turnMs, shared.options.turnMs) && senders.capacity() <= 0,
  };

  async function poll(): Promise<Found> {
    const dueBy = await storageClock.sync();
    const wanted = senders.capacity();
    wasFull = wanted <= 0;
    if (senders.isFull()) senders.endIdle();
    if (isClosing || isCut || wasFull) return 'nothing';
    // This is not the storage's clock, because a correction of that clock must not lengthen a lease.
    const askedAt = clock.now();
    const token = random.token();
    // Endpoints whose lease may have expired are excluded too, because a second sender would repeat their
    // attempts.
    const excluded = [...cooldowns.coolingDown(askedAt), ...senders.overdue(askedAt)];
    const leased = await direct.endpoints.lease(
      { token, forMs: leaseMs, deployment: shared.deployment },
      dueBy,
      wanted,
      excluded,
    );
    const mayOpen = isClosing || isCut ? () => false : mayOpenNow();
    for (const each of leased.filter(mayOpen)) senders.add(openSender(context, each, { token, askedAt }));
    const unwanted = leased.filter((each) => !mayOpen(each));
    await releaseAll(direct, unwanted, token);
    if (isClosing || isCut || leased.length === 0) return 'nothing';
    return leased.length === wanted ? 'full' : 'some';
  }

  /** The search may find an endpoint whose sender has failed meanwhile, because that sender gives its lease back. */
  function mayOpenNow(): (leased: LeasedEndpoint) => boolean {
    const resting = new Set([...cooldowns.coolingDown(clock.now()), ...senders.coolingDown()]);
    return ({ endpoint }) => !resting.has(endpoint.keyId);
  }

  async function idle(): Promise<void> {
    idleWaiters += 1;
    senders.endIdle();
    await senders.ended();
    idleWaiters -= 1;
  }

  return {
    name: 'deliver-events',
    poll,
    idle,
    isBusy: senders.areOpen,
    wake: senders.wake,
    close() {
      isClosing = true;
      senders.close();
      return idle();
    },
    abandon: senders.abandon,
    cut() {
      isCut = true;
      senders.cut();
      return senders.ended();
    },
    reopen() {
      isCut = false;
    },
  };
}

/**
 * How many senders may be open for each attempt that may be in flight. Idle senders stay open, so that one transaction
 * can record the attempts of several senders.
 */
const SENDERS_PER_ATTEMPT = 4;

const IDLE_SHARE_TO_LEASE = 0.5;

/**
 * @param maxBusy - the limit of attempts in flight, and also of busy senders: more of them would hold leases without
 *   using them.
 */
function createOpenSenders(maxBusy: number, onEnd: (sender: EndpointSender, end: SenderEnd) => void) {
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
    add(sender: EndpointSender) {
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
    onIdle(isIdle: boolean) {
      idle += isIdle ? 1 : -1;
    },
    /** Returns the keys of the endpoints whose lease may have expired. */
    overdue: (now: Instant) =>
      [...senders].filter((sender) => sender.isOverdue(now)).map(({ keyId }) => keyId),
    coolingDown: () => [...senders].filter((sender) => sender.isCoolingDown()).map(({ keyId }) => keyId),
    wake(keyIds: ReadonlySet<KeyId> | undefined) {
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
    /** Resolves when all senders have ended, including those that are added while it waits. */
    async ended() {
      while (senders.size > 0) await Promise.all([...senders].map(({ ended }) => ended));
    },
  };
}

const COALESCE_MS = 20;

function createCoalescedLeasing(clock: Pick<Clock, 'sleep'>, onCapacity: () => void): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    void clock.sleep(COALESCE_MS).then(() => {
      isScheduled = false;
      onCapacity();
    });
  };
}

async function releaseAll(
  { endpoints }: Repositories,
  leased: readonly LeasedEndpoint[],
  token: string,
): Promise<void> {
  const holdings = leased.map(({ endpoint: { keyId } }) => ({ keyId, token }));
  if (holdings.length > 0) await endpoints.release(holdings);
}
