import type { PartnerEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/time.js';
import type { Runtime } from '../../ports/runtime.js';
import { type AttemptPorts, attempt } from '../attempt.js';
import type { FairSemaphore } from '../fair-semaphore.js';
import type { Backlog } from './backlog.js';
import type { ProjectedEndpoint } from './projected-endpoint.js';

/** Runs the attempts of one sender. */
export interface Sending {
  /** Starts attempts for waiting events, up to the endpoint's limit. Without a permit, an attempt starts later. */
  launch(): void;
}

/** The ports and callbacks of {@link createSending}. */
export interface SendingParts {
  readonly backlog: Backlog;
  readonly endpoint: ProjectedEndpoint;
  readonly semaphore: FairSemaphore;
  /** The holder of the permits. */
  readonly holder: object;
  readonly ports: AttemptPorts;
  readonly runtime: Pick<Runtime, 'clock' | 'random'>;
  /** The most attempts in flight to the endpoint. */
  readonly maxInFlight: number;
  maySend(now: Instant): boolean;
  /** Called when an attempt ended and waits to be recorded. */
  onEnd(): void;
  /** Called when an attempt could not be made; its event waits again. */
  onFailure(err: unknown): void;
  /** Called when an attempt started or ended, and when an unneeded permit was returned. */
  onChange(now: Instant): void;
}

/** Creates the attempts of a sender, none of them in flight. */
export function createSending(parts: SendingParts): Sending {
  const { backlog, endpoint, semaphore, holder, ports, runtime, maxInFlight } = parts;
  const { clock, random } = runtime;
  let isPermitRequested = false;

  /** Reads the clock in each round: with one instant, the loop would not end when the time slice does. */
  function launch(): void {
    while (!isPermitRequested && canLaunch(clock.now())) {
      isPermitRequested = true;
      semaphore.request(holder, usePermit);
    }
  }

  function canLaunch(now: Instant): boolean {
    if (backlog.waiting() === 0 || backlog.inFlight() >= maxInFlight) return false;
    return parts.maySend(now);
  }

  function usePermit(): void {
    isPermitRequested = false;
    const now = clock.now();
    const event = canLaunch(now) ? backlog.next() : null;
    if (event === null) semaphore.release(holder);
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
      parts.onFailure(err);
    }
    semaphore.release(holder);
    launch();
    parts.onChange(clock.now());
  }

  return { launch };
}
