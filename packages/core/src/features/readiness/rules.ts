import type { KeyId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../domain/time.js';

interface ItemTexts {
  /** What the key has done. */
  readonly title: string;
  /** How to get the item, for the partner. */
  readonly how: string;
  /** Why the item is open while nothing of it was seen. */
  readonly open: string;
  /** Where the ids of its evidence come from. */
  readonly proof: 'request' | 'event';
  /** The item is done if a request succeeded after one with this status. */
  readonly status?: number;
  /** Whether `keys.probe` can prove it. */
  readonly byProbe?: true;
  /** The only environment whose keys have the item. */
  readonly only?: Environment;
}

const PROBE = 'A probe of the endpoint proves it.';

/** The items of the go-live checklist, in its order. Everything that names items follows from this table. */
export const READINESS_ITEMS = {
  jobs_cursor: {
    title: 'Read jobs with a cursor',
    how: 'Call GET /jobs?limit=1. Call it again with `cursor` set to the `next_cursor` of the reply.',
    open: 'No GET /jobs with a cursor has succeeded.',
    proof: 'request',
  },
  jobs_updated_since: {
    title: 'Read jobs with updated_since',
    how: 'Call GET /jobs with `updated_since` set to the X-Updated-Through of your last read.',
    open: 'No GET /jobs with updated_since has succeeded.',
    proof: 'request',
  },
  submitted: {
    title: 'Submitted an application in the sandbox',
    how: 'Send POST /applications with the sandbox key, for an open job of the sandbox.',
    open: 'No submission in the sandbox was accepted.',
    proof: 'request',
    only: 'sandbox',
  },
  replayed: {
    title: 'Repeated a submission with the same Idempotency-Key',
    how: 'Send a POST /applications that got 201 again, with the same body and the same Idempotency-Key.',
    open: 'No submission was repeated with its Idempotency-Key.',
    proof: 'request',
  },
  recovered_422: {
    title: 'Recovered after a 422',
    how: 'Send POST /applications without `candidate.email`, which gets 422. Then send a correct request.',
    open: 'No request got 422.',
    proof: 'request',
    status: 422,
  },
  recovered_409: {
    title: 'Recovered after a 409',
    how: 'Submit the same `sourceApplicationId` twice with different Idempotency-Keys: the second gets 409. Then send a correct request.',
    open: 'No request got 409.',
    proof: 'request',
    status: 409,
  },
  recovered_429: {
    title: 'Recovered after a 429',
    how: 'Call GET /jobs until you get 429. Wait for the seconds of Retry-After, then call it again.',
    open: 'No request got 429.',
    proof: 'request',
    status: 429,
  },
  endpoint_2xx: {
    title: 'The endpoint answered an event with 2xx',
    how: 'Set a webhook endpoint, and answer each verified event with 2xx. The next event proves it, or a probe of the endpoint.',
    open: 'The endpoint has not answered an event with 2xx.',
    proof: 'event',
    byProbe: true,
  },
  refused_forged: {
    title: 'The endpoint refused a forged signature',
    how: `Answer 400 if the signature is not by your signing secret. ${PROBE}`,
    open: 'No probe has sent the endpoint a forged signature.',
    proof: 'event',
    byProbe: true,
  },
  refused_old: {
    title: 'The endpoint refused an old signature',
    how: `Answer 400 if the t of the signature is more than 300 seconds away from your clock. ${PROBE}`,
    open: 'No probe has sent the endpoint an old signature.',
    proof: 'event',
    byProbe: true,
  },
  repeated_event: {
    title: 'The endpoint answered a repeated event with 2xx',
    how: `Answer 2xx to an event whose id you have already processed, and do nothing else. ${PROBE}`,
    open: 'The endpoint has not answered a repeated event with 2xx.',
    proof: 'event',
    byProbe: true,
  },
  applications_read: {
    title: 'Read applications',
    how: 'Call GET /applications, or GET /applications/{id}.',
    open: 'No GET /applications and no GET /applications/{id} has succeeded.',
    proof: 'request',
  },
} as const satisfies Readonly<Record<string, ItemTexts>>;

/**
 * An item of the go-live checklist: reads with a cursor, with `updated_since` and of applications; a submission in the
 * sandbox (`submitted`), repeated with its Idempotency-Key (`replayed`); a success after each of three errors
 * (`recovered_…`); and an endpoint that accepts events, repeated ones too, and refuses forged and old ones. Only a
 * sandbox key has `submitted`.
 */
export type ReadinessItem = keyof typeof READINESS_ITEMS;

/** The names of all items, in the order of the checklist. */
export const READINESS_ITEM_NAMES = Object.keys(READINESS_ITEMS) as readonly ReadinessItem[];

export function textsOf(item: ReadinessItem): ItemTexts {
  return READINESS_ITEMS[item];
}

/** What partners must prove before they go live. */
export interface GoLiveOptions {
  /**
   * The items that a partner's sandbox key must have before `keys.issue` issues its production key; default: none.
   * Until then it throws `NOT_READY`, unless it gets an `override`.
   */
  readonly required: readonly ReadinessItem[];
  /** Whether `keys.probe` also takes production keys; default: false. */
  readonly probeProduction: boolean;
}

export const GO_LIVE: GoLiveOptions = { required: [], probeProduction: false };

/**
 * What a row is about: an item, a failed probe of an item, a request that succeeded, or a run of the probes. The row of
 * `recovered_422` is about the 422, not about the success after it.
 */
export type ReadinessName = ReadinessItem | `failed_${ReadinessItem}` | 'succeeded' | 'probed';

/** The evidence of a key for a name. Ids are of requests or events. */
export interface ReadinessMark {
  readonly keyId: KeyId;
  readonly name: ReadinessName;
  readonly firstAt: Instant;
  readonly firstId: string;
  /** When it was last seen, renewed at most once an hour. */
  readonly lastAt: Instant;
  readonly lastId: string;
  /** Why the last probe failed. Null in all other rows. */
  readonly fault: string | null;
}

export function markOf(
  keyId: KeyId,
  name: ReadinessName,
  { at, id, fault = null }: { readonly at: Instant; readonly id: string; readonly fault?: string | null },
): ReadinessMark {
  return { keyId, name, firstAt: at, firstId: id, lastAt: at, lastId: id, fault };
}

/** Joins two marks of a key and name: the first evidence and the last. Processes may write in any order. */
export function joinMarks(stored: ReadinessMark, added: ReadinessMark): ReadinessMark {
  const { firstAt, firstId } = added.firstAt < stored.firstAt ? added : stored;
  const { lastAt, lastId, fault } = added.lastAt >= stored.lastAt ? added : stored;
  return { ...stored, firstAt, firstId, lastAt, lastId, fault };
}

const REFRESH_MS = HOUR_MS;
/**
 * A success must be known soon after an error that another process has answered. In the same process, it is recorded
 * at once.
 */
const REFRESH_SUCCESS_MS = MINUTE_MS;

/** How long a process does not write the same mark again, in milliseconds. */
export function refreshMsOf(name: ReadinessName): number {
  return name === 'succeeded' ? REFRESH_SUCCESS_MS : REFRESH_MS;
}
