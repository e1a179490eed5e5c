import type { DeliveryState } from '../../domain/delivery.js';
import { EVENT_TYPES, type EventType } from '../../domain/event.js';
import type { ApplicationId, EventId, KeyId, PartnerId } from '../../domain/ids.js';
import { isGiven } from '../../domain/optional.js';
import type { Instant } from '../../domain/time.js';
import { flag, oneOf, optional, optionalId, page, range } from '../../operator/command/fields.js';
import { InputProblem } from '../../operator/command/input.js';
import type { PageOptions } from '../../operator/page-cursor.js';

/** Selects a page of a time range. The range includes `since` and ends before `until`. */
export interface PageFilter extends PageOptions {
  /** The start of the time range, inclusive; default: none. */
  readonly since?: Instant | undefined;
  /** The end of the time range, exclusive; default: none. */
  readonly until?: Instant | undefined;
}

/**
 * Selects deliveries. At least one of `keyId`, `partnerId`, `applicationId`, `state`, `waits` and `onlyFailing` is required. All
 * filters can be combined, with two exceptions: `keyId` with `partnerId`, and `waits` or `onlyFailing` with a `state` other
 * than `pending`.
 */
export interface DeliveryFilter extends PageFilter {
  /** Only deliveries of this key; default: of all. Not with `partnerId`. */
  readonly keyId?: KeyId | undefined;
  /** Only deliveries of all keys of this partner; default: of all. */
  readonly partnerId?: PartnerId | undefined;
  /** Only the delivery of the decision on this application; default: all. There is at most one. */
  readonly applicationId?: ApplicationId | undefined;
  /** Only deliveries in this state; default: all. */
  readonly state?: DeliveryState | undefined;
  /**
   * The type of the event; default: all. To find matches, a page reads at most 1,001 deliveries of all types, so it may
   * be short.
   */
  readonly type?: EventType | undefined;
  /**
   * Whether to select only deliveries that wait for another attempt, because the last one failed; default: false. A
   * delivery that waits for its first attempt behind such a delivery is not selected.
   */
  readonly onlyFailing?: boolean | undefined;
  /**
   * What the delivery waits for: its turn (`due`), a retry or a slow endpoint (`later`), or the end of a pause (`held`);
   * default: all. A page reads at most 1,001 deliveries, so it may be short.
   */
  readonly waits?: DeliveryWait | undefined;
}

const WAITS = ['due', 'later', 'held'] as const;

/** What a pending delivery waits for. The backlog counts them as `due`, `scheduled` and `paused`. */
export type DeliveryWait = (typeof WAITS)[number];

/**
 * Sorts before every event id. As the id of a position, it continues a newest-first list after all events of the
 * instant.
 */
export const BEFORE_ALL_IDS: EventId = 'evt_';

const WHAT_IS_POSSIBLE =
  'Pass at least one of `keyId`, `partnerId`, `applicationId`, `state`, `waits` and `onlyFailing`, but not both `keyId` and ' +
  '`partnerId`. Each combination can have `type`, `since` and `until`.';

/** The fields of a filter. */
export const deliveryFilter = {
  keyId: optionalId('key'),
  partnerId: optionalId('partner', 'Only those of the keys of this partner'),
  applicationId: optionalId('application', 'Only those of events of this application'),
  state: optional(oneOf(['pending', 'delivered', 'dead', 'cancelled']), 'Only in this state'),
  type: optional(oneOf(EVENT_TYPES), 'Only those of events of this type'),
  onlyFailing: optional(flag, 'Only those that wait for another attempt after a failure'),
  waits: optional(oneOf(WAITS), 'Only those that wait for their turn, for later, or for the end of a pause'),
  ...range,
  ...page,
};

/** @throws InputProblem for a combination that would read the whole log of all keys. */
export function assertPossible(filter: DeliveryFilter): void {
  const { keyId, partnerId, applicationId, state, waits, onlyFailing } = filter;
  const given = [keyId, partnerId, applicationId, state, waits, onlyFailing || undefined];
  if (given.every((value) => (value ?? undefined) === undefined))
    throw impossible('The filter must not select the deliveries of all keys in all states.');
  if ((keyId ?? undefined) !== undefined && (partnerId ?? undefined) !== undefined)
    throw impossible('`keyId` and `partnerId` cannot be combined.');
  if ((onlyFailing || isGiven(waits)) && state !== undefined && state !== 'pending') {
    const [name, what] = onlyFailing ? ['onlyFailing', 'failing'] : ['waits', 'waiting'];
    throw impossible(
      `\`${name}\` and the state \`${state}\` cannot be combined: a ${what} delivery is \`pending\`.`,
    );
  }
}

function impossible(problem: string): InputProblem {
  return new InputProblem(`${problem} ${WHAT_IS_POSSIBLE}`);
}
