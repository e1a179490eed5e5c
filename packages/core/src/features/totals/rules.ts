import type { CompanyId, KeyId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import { DAY_MS, HOUR_MS, type Instant } from '../../domain/time.js';

/** What is counted. */
export const FIGURES = ['shown', 'submitted', 'hired', 'rejected', 'refused', 'delivered'] as const;

export type Figure = (typeof FIGURES)[number];

/** Times to decision are counted by the smallest step that they fit into, in hours. The last step has all longer ones. */
const STEPS = [1, 2, 4, 8, 12, 24, 36, 48, 72, 96, 120, 168, 240, 336, 504, 720, 1_440, 2_160, 4_320, 8_760];

export const TOTALS_KEPT_MS = 400 * DAY_MS;

/** Whose sums: those of a key, or of all keys of an environment; of a company, or of all companies. */
export interface TotalOwner {
  readonly keyId: KeyId | Environment;
  readonly companyId: CompanyId | 'all';
}

/** The sum of a day. It contains no personal data. */
export interface Total extends TotalOwner {
  /** The start of the day, in UTC. */
  readonly day: Instant;
  /** A figure, or a step of the times to decision. */
  readonly name: string;
  readonly count: number;
}

/** How far a key is counted. The row without a key is about the rounds of the task. */
export interface TotalHead {
  readonly keyId: KeyId | '';
  /** Everything with a stamp up to this one is counted. Without a key: when the last whole round began. */
  readonly at: Instant;
  /** The first hour that is not counted. Without a key: the first hour that was. */
  readonly hour: Instant;
  /** How often the row was saved. */
  readonly version: number;
}

/** Something with a stamp that never changes. */
export interface TotalFact {
  readonly at: Instant;
  readonly kind: 'shown' | 'submitted' | 'accepted' | 'rejected';
  readonly companyId: CompanyId;
  /** The time to the decision; 0 for other facts. */
  readonly waitedMs: number;
}

/** What to add for a key. */
export type NewCount = Omit<Total, 'keyId'>;

export function startOfDay(at: Instant): Instant {
  return at - (at % DAY_MS);
}

/** Returns the start of the month in which the instant is, or of one that is so many months later. */
export function startOfMonth(at: Instant, later = 0): Instant {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

/** Counts a fact: a decision also by its step. */
export function countFact({ at, kind, companyId, waitedMs }: TotalFact): readonly NewCount[] {
  const one = (name: string) => ({ companyId, day: startOfDay(at), name, count: 1 });
  if (kind === 'shown' || kind === 'submitted') return [one(kind)];
  const step = STEPS.find((hours) => waitedMs <= hours * HOUR_MS) ?? STEPS.at(-1);
  return [one(kind === 'accepted' ? 'hired' : kind), one(`within_${step}`)];
}

/** Returns the sums to which the counts of a key belong: of key and environment, of the company and of all. */
export function totalsOf(
  keyId: KeyId,
  environment: Environment,
  counts: readonly NewCount[],
): readonly Total[] {
  const totals = new Map<string, Total>();
  for (const { companyId, day, name, count } of counts) {
    for (const owner of [keyId, environment]) {
      for (const company of new Set([companyId, 'all'] as const)) {
        const place = [owner, company, day, name].join(' ');
        const sum = count + (totals.get(place)?.count ?? 0);
        totals.set(place, { keyId: owner, companyId: company, day, name, count: sum });
      }
    }
  }
  return [...totals.values()];
}

/** Returns the step into which half of the decisions fit, in milliseconds. Null without a decision. */
export function medianOf(counts: ReadonlyMap<string, number>): number | null {
  const upTo: number[] = [];
  for (const hours of STEPS) upTo.push((upTo.at(-1) ?? 0) + (counts.get(`within_${hours}`) ?? 0));
  const decided = upTo.at(-1) ?? 0;
  const median = decided === 0 ? undefined : STEPS[upTo.findIndex((count) => count * 2 >= decided)];
  return median === undefined ? null : median * HOUR_MS;
}
