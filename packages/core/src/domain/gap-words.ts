import { failureWords, type OwnFailure, ownFailure } from './endpoint-failure.js';
import type { Gap } from './gap.js';
import type { Instant } from './time.js';

/** A gap, as the partner of the endpoint may know it. */
export interface ShownGap extends Pick<Gap, 'since' | 'until'> {
  readonly cause: OwnFailure;
}

export function shownGap({ since, until, cause }: Gap): ShownGap {
  return { since, until, cause: ownFailure(cause) };
}

/** How many events wait behind a gap. */
export interface WaitingEvents {
  readonly count: number;
  /** False if counting stopped at a bound. */
  readonly isExact: boolean;
}

/**
 * Says in one sentence that an endpoint is sent to slowly, and why. Console, command line and portal show it. Returns the
 * pieces of the text, so that each of them can write instants in its own way.
 * @param write - writes an instant.
 * @param waiting - adds how many events wait.
 * @example
 * const endpoint = await operator.endpoints.find({ keyId });
 * const write = (at: number) => new Date(at).toISOString();
 * if (endpoint?.health.gap) console.log(gapWords(endpoint.health.gap, write).join(''));
 */
export function gapWords<Written>(
  gap: Gap | ShownGap,
  write: (at: Instant) => Written,
  waiting?: WaitingEvents,
): readonly (string | Written)[] {
  const { since, until, cause } = 'ms' in gap ? shownGap(gap) : gap;
  const wait = waiting === undefined ? '' : ` ${waitWords(waiting)}`;
  const because = `, because ${failureWords(cause)}: the next attempt at `;
  return ['Sending slowly since ', write(since), because, write(until), `.${wait}`];
}

/**
 * Says how many events wait.
 * @example
 * waitWords({ count: 1200, isExact: true }); // '1,200 events wait.'
 */
export function waitWords({ count, isExact }: WaitingEvents): string {
  const least = isExact ? '' : '+';
  return count === 1 && isExact ? '1 event waits.' : `${count.toLocaleString('en-US')}${least} events wait.`;
}
