import { createEnvironmentSums } from '../../domain/environment-sums.js';
import { createHourTally, OK } from '../../domain/hour-count.js';
import type { Instant } from '../../domain/time.js';
import type { AnsweredRequest } from '../../http/observer.js';
import type { Repositories } from '../../ports/storage.js';
import { joinMarks, type ReadinessMark } from '../readiness/rules.js';
import { fieldOfEntry, joinReadRanges, minuteOf, type RequestReads, type RequestRecord } from './rules.js';

/** Counts answered requests for each hour: by status, and those with a key by code and refused field. */
export interface StatusTally {
  add(request: Pick<AnsweredRequest, 'status' | 'keyId' | 'code' | 'fields'>, at: Instant): void;
  /** Stores the counts. Never rejects: if the storage fails, the next call stores them. */
  flush(): Promise<void>;
}

export function createStatusTally({
  hourCounts,
  names,
}: Pick<Repositories, 'hourCounts' | 'names'>): StatusTally {
  const tally = createHourTally();
  const withSums = createEnvironmentSums((ids) => names.ofKeys(ids));
  return {
    add({ status, keyId, code, fields }, at) {
      tally.add('request', null, String(status), at);
      if (keyId === null) return;
      tally.add('answer', keyId, code ?? OK, at);
      // A field that failed with two codes is counted once.
      for (const field of new Set(fields.map(fieldOfEntry))) {
        tally.add('field', keyId, field, at);
      }
    },
    async flush() {
      const counts = tally.take();
      if (counts.length === 0) return;
      await withSums(counts)
        .then(hourCounts.add)
        .catch(() => tally.putBack(counts));
    },
  };
}

/** The most rows and counters that wait in memory: a few megabytes. */
export const MAX_WAITING = 10_000;

/** The row of a flood. Its count grows until its minute ends. */
export interface FloodRow extends RequestRecord {
  count: number;
  lastAt: number;
}

export interface RequestBatch {
  readonly rows: readonly RequestRecord[];
  readonly floods: readonly FloodRow[];
  readonly reads: readonly RequestReads[];
  readonly marks: readonly ReadinessMark[];
}

export interface RequestBuffer {
  /** Adds a row. Like the other methods that add, returns false if the buffer is full. */
  addRow(row: RequestRecord): boolean;
  /** Adds the row of a flood, or notes that its count has grown. */
  addFlood(flood: FloodRow): boolean;
  addReads(reads: RequestReads): boolean;
  /** Adds a mark. There are only a few for each key, so they do not fill the buffer. */
  addMark(mark: ReadinessMark): void;
  rows(): number;
  size(): number;
  /** Removes and returns the oldest entries, at most `max`. */
  take(max: number): RequestBatch;
  /** Puts a batch back that could not be written. Returns how many entries had no space. */
  putBack(batch: RequestBatch): number;
}

export function createRequestBuffer(): RequestBuffer {
  let rows: RequestRecord[] = [];
  const floods = new Set<FloodRow>();
  const reads = new Map<string, RequestReads>();
  const marks = new Map<string, ReadinessMark>();

  const logSize = () => rows.length + floods.size + reads.size;
  const isFull = () => logSize() >= MAX_WAITING;

  function addFlood(flood: FloodRow): boolean {
    if (floods.has(flood)) return true;
    if (isFull()) return false;
    floods.add(flood);
    return true;
  }

  function addReads(added: RequestReads): boolean {
    const minute = minuteOf(added.lastAt);
    const name = `${added.keyId} ${added.route} ${minute}`;
    const known = reads.get(name);
    if (known === undefined && isFull()) return false;
    reads.set(name, known === undefined ? added : sumOf(known, added));
    return true;
  }

  function addMark(added: ReadinessMark): void {
    const name = `${added.keyId} ${added.name}`;
    const known = marks.get(name);
    marks.set(name, known === undefined ? added : joinMarks(known, added));
  }

  return {
    addRow(row) {
      if (isFull()) return false;
      rows.push(row);
      return true;
    },
    addFlood,
    addReads,
    addMark,
    rows: () => rows.length,
    size: () => logSize() + marks.size,
    take(max) {
      const takenRows = rows.slice(0, max);
      rows = rows.slice(max);
      const takenFloods = [...floods].slice(0, max - takenRows.length);
      for (const flood of takenFloods) floods.delete(flood);
      let space = max - takenRows.length - takenFloods.length;
      const names = [...reads.keys()].slice(0, space);
      const takenReads = names.flatMap((name) => reads.get(name) ?? []);
      for (const name of names) reads.delete(name);
      space -= names.length;
      const markNames = [...marks.keys()].slice(0, space);
      const takenMarks = markNames.flatMap((name) => marks.get(name) ?? []);
      for (const name of markNames) marks.delete(name);
      return { rows: takenRows, floods: takenFloods, reads: takenReads, marks: takenMarks };
    },
    putBack(batch) {
      for (const mark of batch.marks) addMark(mark);
      const space = Math.max(0, MAX_WAITING - logSize());
      const kept = batch.rows.slice(0, space);
      rows = [...kept, ...rows];
      const lost = batch.rows.length - kept.length;
      const lostFloods = batch.floods.filter((flood) => !addFlood(flood)).length;
      return lost + lostFloods + batch.reads.filter((each) => !addReads(each)).length;
    },
  };
}

function sumOf(first: RequestReads, second: RequestReads): RequestReads {
  const last = second.lastAt >= first.lastAt ? second : first;
  const readRange = joinReadRanges(first.readRange, second.readRange);
  return { ...last, count: first.count + second.count, readRange };
}
