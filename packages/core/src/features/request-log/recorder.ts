import { createHash } from 'node:crypto';
import { READ_ROUTES } from '../../domain/answered-request.js';
import type { Instant } from '../../domain/time.js';
import type { AnsweredRequest, RequestRecorder } from '../../http/observer.js';
import type { Runtime } from '../../ports/runtime.js';
import type { Repositories } from '../../ports/storage.js';
import type { StorageClock } from '../../storage-clock.js';
import { createReadinessMarks, type ReadinessMarks } from '../readiness/recorder.js';
import { createFloodBounds } from './floods.js';
import { createRequestBuffer, createStatusTally, type FloodRow } from './request-buffer.js';
import { createRequestFlusher } from './request-flusher.js';
import { minuteOf, type RequestRecord } from './rules.js';

export interface RequestLogDeps {
  readonly direct: Pick<Repositories, 'requests' | 'readiness' | 'hourCounts' | 'names'>;
  /** If false, the log only notes what keys prove for their go-live. */
  readonly keepsRequests: boolean;
  readonly runtime: Pick<Runtime, 'clock' | 'random'>;
  readonly storageClock: Pick<StorageClock, 'now'>;
  readonly seconds: () => number;
  readonly observer: RequestLogObserver;
}

export interface RequestLogObserver {
  /** Called with the number of requests that are not in the log, because too many waited in memory. */
  dropped(count: number): void;
  /** Called for the first of several failed writes, with the number of entries that wait. */
  failed(err: unknown, waiting: number): void;
}

export interface RequestLog extends RequestRecorder {
  /** Notes that an endpoint has accepted an event. */
  delivered: ReadinessMarks['delivered'];
  /** Writes what waits in memory. Never rejects. */
  flush(): Promise<void>;
  /** Writes what waits in memory, and stops. */
  close(): Promise<void>;
}

const SECRET_BYTES = 16;
const CLIENT_CHARACTERS = 16;

/** Records requests, and what they prove, in memory, and writes them to the storage once a second. */
export function createRequestLog(deps: RequestLogDeps): RequestLog {
  const { direct, keepsRequests, runtime, storageClock, seconds, observer } = deps;
  const buffer = createRequestBuffer();
  const marks = createReadinessMarks(buffer);
  const bounds = createFloodBounds<FloodRow>();
  const hashClient = createClientHash(runtime.random);
  const statuses = createStatusTally(direct);
  const flusher = createRequestFlusher({
    statuses,
    direct,
    clock: runtime.clock,
    buffer,
    onFailed: (err, lost, isFirst) => {
      if (isFirst) observer.failed(err, buffer.size());
      if (lost > 0) observer.dropped(lost);
    },
  });

  function countRead(request: AnsweredRequest, at: Instant): boolean {
    const { keyId, route, requestId: lastRequestId, readRange } = request;
    if (keyId === null || route === null) return true;
    const minute = minuteOf(at);
    return buffer.addReads({ keyId, route, minute, count: 1, lastAt: at, lastRequestId, readRange });
  }

  function addRow(request: AnsweredRequest, at: Instant, durationMs: number): boolean {
    const toRow = (client: string | null): RequestRecord => toRecord(request, client, at, durationMs);
    const { bucket, hasRow } = bounds.count({ ...request, at });
    if (hasRow) return buffer.addRow(toRow(hashClient(bucket.client)));
    if (bucket.flood === null) {
      const flood: FloodRow = { ...toRow(hashClient(bucket.client)) };
      if (!buffer.addFlood(flood)) return false;
      bucket.flood = flood;
      return true;
    }
    bucket.flood.count += 1;
    bucket.flood.lastAt = at;
    return buffer.addFlood(bucket.flood);
  }

  return {
    arrived: seconds,
    answered(request, arrivedAt) {
      const at = storageClock.now();
      const isMarked = marks.answered(request, at);
      if (!keepsRequests) {
        if (isMarked) flusher.wake();
        return;
      }
      const durationMs = Math.max(0, Math.round((seconds() - arrivedAt) * 1_000));
      statuses.add(request, at);
      const isKept = isRead(request) ? countRead(request, at) : addRow(request, at, durationMs);
      if (!isKept) observer.dropped(1);
      flusher.wake();
    },
    delivered(event, at) {
      const isMarked = marks.delivered(event, at);
      if (isMarked) flusher.wake();
      return isMarked;
    },
    flush: flusher.flush,
    close: flusher.close,
  };
}

function isRead({ method, route, code }: AnsweredRequest): boolean {
  return code === null && method !== 'POST' && (route === null || READ_ROUTES.includes(route));
}

function toRecord(
  request: AnsweredRequest,
  client: string | null,
  at: Instant,
  durationMs: number,
): RequestRecord {
  const { clientAddress: _, readRange: __, listedBy: ___, ...known } = request;
  return { ...known, client, at, durationMs, count: 1, lastAt: at };
}

/**
 * Hashes client addresses with a secret that the process never stores. Without a secret, anyone could find the address
 * of a hash by hashing all addresses.
 */
function createClientHash(
  random: Pick<Runtime['random'], 'bytes'>,
): (client: string | null) => string | null {
  let secret: Uint8Array | null = null;
  return (client) => {
    if (client === null) return null;
    secret ??= random.bytes(SECRET_BYTES);
    return createHash('sha256').update(secret).update(client).digest('hex').slice(0, CLIENT_CHARACTERS);
  };
}
