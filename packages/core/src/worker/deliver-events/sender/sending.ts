import type { PartnerEvent } from '../../../domain/event.js';
import type { Instant } from '../../../domain/time.js';
import type { Runtime } from '../../../ports/runtime.js';
import { type AttemptPorts, attempt } from '../../attempt.js';
import type { FairSemaphore } from '../../fair-semaphore.js';
import type { Backlog } from './backlog.js';
import type { ProjectedEndpoint } from './projected-endpoint.js';

/** The attempts of one lane. */
export interface Sending {
  /** Begins attempts with what waits, as many as there are room and slots for; one that waits for a slot begins later. */
  launch(): void;
}

/** What a lane's attempts need, and whom they tell. */
export interface SendingParts {
  readonly backlog: Backlog;
  readonly endpoint: ProjectedEndpoint;
  readonly slots: FairSemaphore;
  /** In whose name slots are asked for. */
  readonly holder: object;
  readonly ports: AttemptPorts;
  readonly runtime: Pick<Runtime, 'clock' | 'random'>;
  /** The most that are under way to the endpoint at once. */
  readonly maxInFlight: number;
  /** Whether the lane may begin an attempt then. */
  maySend(now: Instant): boolean;
  /** An attempt ended, and waits to be recorded. */
  onEnd(): void;
  /** An attempt could not be made; its event waits again. */
  onBreak(err: unknown): void;
  /** An attempt began, or ended, or a slot came that is of no use any more. */
  onChange(now: Instant): void;
}

/** Builds it, with nothing under way. */
export function createSending(parts: SendingParts): Sending {
  const { backlog, endpoint, slots, holder, ports, runtime, maxInFlight } = parts;
  const { clock, random } = runtime;
  let isSlotRequested = false;

  /** Looks at the clock each time: of a turn that ends meanwhile, one look for all would ask for slots for ever. */
  function launch(): void {
    while (!isSlotRequested && hasRoom(clock.now())) {
      isSlotRequested = true;
      slots.request(holder, useSlot);
    }
  }

  function hasRoom(now: Instant): boolean {
    if (backlog.waiting() === 0 || backlog.inFlight() >= maxInFlight) return false;
    return parts.maySend(now);
  }

  function useSlot(): void {
    isSlotRequested = false;
    const now = clock.now();
    const event = hasRoom(now) ? backlog.next() : null;
    if (event === null) slots.release(holder);
    else void send(event);
    parts.onChange(now);
  }

  async function send(event: PartnerEvent): Promise<void> {
    try {
      const target = endpoint.current();
      const end = await attempt(ports, target, event);
      backlog.end(event, target.url, end, random.fraction());
      endpoint.ended(target.url, end);
      parts.onEnd();
    } catch (err) {
      backlog.putBack(event);
      parts.onBreak(err);
    }
    slots.release(holder);
    launch();
    parts.onChange(clock.now());
  }

  return { launch };
}
