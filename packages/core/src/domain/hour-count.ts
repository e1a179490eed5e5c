import type { KeyId } from './ids.js';
import { DAY_MS, HOUR_MS, type Instant } from './time.js';

/** What is counted: answered requests by status, or attempts of deliveries by outcome. */
export type HourCountKind = 'request' | 'attempt';

/** How often something happened in one hour. */
export interface HourCount {
  readonly kind: HourCountKind;
  /** Null for the sum of all keys. */
  readonly keyId: KeyId | null;
  /** The start of the hour. */
  readonly hour: Instant;
  /** Of requests the HTTP status, such as `201`. Of attempts `succeeded` or `failed`. */
  readonly name: string;
  readonly count: number;
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
  add(counted: Pick<HourCount, 'kind' | 'keyId' | 'name'>, at: Instant): void;
  /** Removes and returns all counts, each of them once. */
  take(): readonly HourCount[];
  /** Puts counts back that could not be written. */
  putBack(counts: readonly HourCount[]): void;
}

/** The most counts in memory: about a megabyte. More are not counted. */
const MOST_COUNTS = 10_000;

/** Creates an empty tally. */
export function createHourTally(): HourTally {
  let counts = new Map<string, HourCount>();

  function addCount(added: HourCount): void {
    const name = `${added.kind} ${added.keyId} ${added.hour} ${added.name}`;
    const known = counts.get(name);
    if (known === undefined && counts.size >= MOST_COUNTS) return;
    counts.set(name, known === undefined ? added : { ...added, count: known.count + added.count });
  }

  return {
    add: ({ kind, keyId, name }, at) => addCount({ kind, keyId, hour: hourOf(at), name, count: 1 }),
    take() {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
    putBack(returned) {
      for (const count of returned) addCount(count);
    },
  };
}
