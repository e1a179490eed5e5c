import { HOUR_COUNTS_KEPT_MS, hourOf } from '../../domain/hour-count.js';
import type { KeyId } from '../../domain/ids.js';
import { DAY_MS, HOUR_MS, type Instant } from '../../domain/time.js';
import { InputProblem } from '../../operator/command/input.js';
import { groupBy } from '../../operator/group-by.js';
import type { Runner } from '../../operator/scope.js';

/** Selects the hours to count. */
export interface HourFilter {
  /**
   * The first hour contains this instant; default: 24 hours ago. It must not be in the future. Counts are kept for
   * seven days.
   */
  readonly since?: Instant | undefined;
}

/** The attempts that ended in one hour. */
export interface AttemptHour {
  /** The start of the hour. */
  readonly hour: Instant;
  readonly succeeded: number;
  readonly failed: number;
}

/** Returns the starts of the hours, oldest first. The last one is not over. @throws InputProblem */
export function hoursOf({ since }: HourFilter, now: Instant): readonly Instant[] {
  if (since !== undefined && since > now) throw new InputProblem('since must not be in the future');
  const first = hourOf(Math.max(since ?? now - DAY_MS, now - HOUR_COUNTS_KEPT_MS));
  const count = (hourOf(now) - first) / HOUR_MS + 1;
  return Array.from({ length: count }, (_, index) => first + index * HOUR_MS);
}

/** Counts the attempts of a key, or of all keys, in each of these hours. */
export async function countAttempts(
  { read }: Runner,
  keyId: KeyId | null,
  hours: readonly Instant[],
): Promise<readonly AttemptHour[]> {
  const counts = await read.hourCounts.list({ kind: 'attempt', keyId, from: hours[0] ?? 0 });
  const byHour = groupBy(counts, ({ hour }) => hour);
  return hours.map((hour) => {
    const counted = byHour.get(hour) ?? [];
    const numberOf = (name: string) => counted.find((each) => each.name === name)?.count ?? 0;
    return { hour, succeeded: numberOf('succeeded'), failed: numberOf('failed') };
  });
}

/** The requests and the attempts of one hour. */
export interface SystemHour extends AttemptHour {
  /** By status; empty without the option `requestLog`. */
  readonly requests: readonly {
    readonly status: number;
    readonly count: number;
  }[];
}

/** Counts the requests and the attempts of all keys in the last hours. */
export async function countHours(runner: Runner, most: number, now: Instant): Promise<readonly SystemHour[]> {
  const hours = hoursOf({ since: now - (most - 1) * HOUR_MS }, now);
  const attempts = await countAttempts(runner, null, hours);
  const counts = await runner.read.hourCounts.list({ kind: 'request', keyId: null, from: hours[0] ?? 0 });
  const requests = groupBy(counts, ({ hour }) => hour);
  return attempts.map((each) => ({
    ...each,
    requests: (requests.get(each.hour) ?? []).map(({ name, count }) => ({ status: Number(name), count })),
  }));
}
