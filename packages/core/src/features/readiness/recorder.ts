import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { AnsweredRequest } from '../../http/observer.js';
import {
  markOf,
  READINESS_ITEM_NAMES,
  type ReadinessItem,
  type ReadinessMark,
  type ReadinessName,
  refreshMsOf,
  textsOf,
} from './rules.js';

/** How many keys a process remembers. It writes the marks of a forgotten key again. */
export const MAX_REMEMBERED_KEYS = 10_000;

/** Notes what keys prove for their go-live. Each mark is written once per process, then again after a while. */
export interface ReadinessMarks {
  /** Returns whether a mark waits to be written. */
  answered(request: AnsweredRequest, at: Instant): boolean;
  delivered(delivered: DeliveredEvent, at: Instant): boolean;
}

interface MarkBuffer {
  addMark(mark: ReadinessMark): void;
}

interface DeliveredEvent {
  readonly keyId: KeyId;
  readonly eventId: string;
  readonly isRepeated: boolean;
}

type Remembered = Partial<Record<ReadinessName, Instant>>;

/** The items that an error proves, by its status. */
const BY_STATUS: ReadonlyMap<number, ReadinessItem> = new Map(
  READINESS_ITEM_NAMES.flatMap((item) => {
    const { status } = textsOf(item);
    return status === undefined ? [] : [[status, item] as const];
  }),
);

export function createReadinessMarks(buffer: MarkBuffer): ReadinessMarks {
  const keys = new Map<KeyId, Remembered>();

  function remembered(keyId: KeyId): Remembered {
    const known = keys.get(keyId);
    if (known !== undefined) return known;
    const added: Remembered = {};
    const [oldest] = keys.keys();
    if (oldest !== undefined && keys.size >= MAX_REMEMBERED_KEYS) keys.delete(oldest);
    keys.set(keyId, added);
    return added;
  }

  function note(keyId: KeyId, name: ReadinessName, at: Instant, id: string): boolean {
    const own = remembered(keyId);
    const last = own[name];
    // The storage's time may go back a little.
    if (last !== undefined && at < last + refreshMsOf(name)) return false;
    own[name] = at;
    buffer.addMark(markOf(keyId, name, { at, id }));
    return true;
  }

  return {
    answered(request, at) {
      const { keyId, requestId, status } = request;
      if (keyId === null) return false;
      if (request.code === null) {
        const isNew = note(keyId, 'succeeded', afterErrors(remembered(keyId), at), requestId);
        const item = itemOf(request);
        const hasItem = item !== null && note(keyId, item, at, requestId);
        return noteSince(request, at) || hasItem || isNew;
      }
      const item = BY_STATUS.get(status);
      if (item === undefined || !note(keyId, item, at, requestId)) return false;
      // The next success is the one after this error.
      delete remembered(keyId).succeeded;
      return true;
    },
    delivered({ keyId, eventId, isRepeated }, at) {
      const isNew = note(keyId, 'endpoint_2xx', at, eventId);
      return (isRepeated && note(keyId, 'repeated_event', at, eventId)) || isNew;
    },
  };

  /** A page after a cursor may also have an `updated_since`, so that one request proves two items. */
  function noteSince({ keyId, route, method, requestId, listedBy }: AnsweredRequest, at: Instant): boolean {
    const isSince = route === '/jobs' && method === 'GET' && listedBy?.hasUpdatedSince === true;
    return isSince && keyId !== null && note(keyId, 'jobs_updated_since', at, requestId);
  }
}

/** The instant of a success, which comes after the errors before it, also where the time stood still or went back. */
function afterErrors(own: Remembered, at: Instant): Instant {
  if (own.succeeded !== undefined) return at;
  let after = at;
  for (const item of BY_STATUS.values()) after = Math.max(after, (own[item] ?? Number.NEGATIVE_INFINITY) + 1);
  return after;
}

/** Returns the item that a request proves, which succeeded. */
function itemOf({ method, route, isReplay, listedBy }: AnsweredRequest): ReadinessItem | null {
  if (method === 'POST') {
    if (route !== '/applications') return null;
    return isReplay ? 'replayed' : 'submitted';
  }
  if (method !== 'GET') return null;
  if (route === '/jobs') return listedBy?.hasCursor === true ? 'jobs_cursor' : null;
  return route === '/applications' || route === '/applications/{id}' ? 'applications_read' : null;
}
