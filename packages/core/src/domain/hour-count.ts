import type { KeyId } from './ids.js';
import type { Environment } from './partner-key.js';
import { DAY_MS, HOUR_MS, type Instant } from './time.js';

/**
 * The kind of a count: answered requests by status; answers to a key by code; refused fields of a key; delivery attempts
 * by outcome; successful attempts by how long they took.
 */
export type HourCountKind = 'request' | 'answer' | 'field' | 'attempt' | 'latency';

/** How often something happened in one hour. */
export interface HourCount {
  readonly kind: HourCountKind;
  /** An environment for the sum of its keys. Null for the sum of all keys, which only requests and attempts have. */
  readonly keyId: KeyId | Environment | null;
  /** The start of the hour. */
  readonly hour: Instant;
  /**
   * Of requests the HTTP status, such as `201`. Of answers the error code, or `OK`. Of fields the name in the request log.
   * Of attempts `succeeded` or `failed`. Of latencies a step.
   */
  readonly name: string;
  readonly count: number;
}

/** The name of answers without an error code. */
export const OK = 'OK';

/** Latencies are counted by the smallest step that they fit into, in milliseconds. An attempt takes at most 30 seconds. */
export const LATENCY_STEPS_MS = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000] as const;

const LAST_STEP = String(LATENCY_STEPS_MS.at(-1));

/** Returns the name of a latency's count. */
export function latencyName(ms: number): string {
  const step = LATENCY_STEPS_MS.find((most) => ms <= most);
  return step === undefined ? LAST_STEP : String(step);
}

/** How long counts are kept, in milliseconds: as long as partners ask about. */
export const HOUR_COUNTS_KEPT_MS = 7 * DAY_MS;

/** Returns the start of the hour of an instant. */
export function hourOf(at: Instant): Instant {
  return at - (at % HOUR_MS);
}

/** Counts in memory until a process writes the counts. */
export interface HourTally {
  /** Adds one. */
  add(kind: HourCountKind, keyId: KeyId | null, name: string, at: Instant): void;
  /** Removes and returns all counts, each of them once. */
  take(): readonly HourCount[];
  /** Puts counts back that could not be written. */
  putBack(counts: readonly HourCount[]): void;
}

/** The most counts in memory: about a megabyte. More are not counted. */
const MOST_COUNTS = 10_000;

interface GrowingCount extends HourCount {
  count: number;
}

/** Creates an empty tally. Adding builds no text and no object, because it happens twice per attempt. */
export function createHourTally(): HourTally {
  let counts = new Map<HourCount['keyId'], GrowingCount[]>();
  let size = 0;

  function find(
    kind: HourCountKind,
    keyId: HourCount['keyId'],
    name: string,
    hour: Instant,
  ): GrowingCount | null {
    const own = counts.get(keyId) ?? [];
    for (const each of own) if (each.hour === hour && each.name === name && each.kind === kind) return each;
    if (size >= MOST_COUNTS) return null;
    size += 1;
    const added = { kind, keyId, hour, name, count: 0 };
    own.push(added);
    counts.set(keyId, own);
    return added;
  }

  return {
    add(kind, keyId, name, at) {
      const found = find(kind, keyId, name, hourOf(at));
      if (found !== null) found.count += 1;
    },
    take() {
      const taken = [...counts.values()].flat();
      counts = new Map();
      size = 0;
      return taken;
    },
    putBack(returned) {
      for (const { kind, keyId, name, hour, count } of returned) {
        const found = find(kind, keyId, name, hour);
        if (found !== null) found.count += count;
      }
    },
  };
}
