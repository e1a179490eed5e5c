import type { PartnerEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/time.js';
import type { Runtime } from '../../ports/runtime.js';
import { type AttemptPorts, attempt } from '../attempt.js';
import type { FairSemaphore } from '../fair-semaphore.js';
import type { Backlog } from './backlog.js';
import type { ProjectedEndpoint } from './projected-endpoint.js';

export interface Sending {
  launch(): void;
}

export interface SendingParts {
  readonly backlog: Backlog;
  readonly endpoint: ProjectedEndpoint;
  readonly semaphore: FairSemaphore;
  readonly holder: object;
  readonly ports: AttemptPorts;
  readonly runtime: Pick<Runtime, 'clock' | 'random'>;
  readonly maxInFlight: number;
  maySend(now: Instant): boolean;
  onEnd(): void;
  /** The event waits again. */
  onFailure(err: unknown): void;
  onChange(now: Instant): void;
}

export function createSending(parts: SendingParts): Sending {
  const { backlog, endpoint, semaphore, holder, ports, runtime, maxInFlight } = parts;
  const { clock, random } = runtime;
  let isPermitRequested = false;

  /** Reads the clock for each attempt, because the time slice may end in between. */
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
