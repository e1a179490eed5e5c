import type { CompanyId, KeyId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import { DAY_MS, HOUR_MS, type Instant } from '../../domain/time.js';

/** What is counted. A company has no refused requests and no delivered events. */
export const TOTAL_FIGURES = ['shown', 'submitted', 'hired', 'rejected', 'refused', 'delivered'] as const;

export type TotalFigure = (typeof TOTAL_FIGURES)[number];

/** Times to decision are counted by the smallest step that they fit into, in hours. The last step has all longer ones. */
const STEP_HOURS = [
  1, 2, 4, 8, 12, 24, 36, 48, 72, 96, 120, 168, 240, 336, 504, 720, 1_440, 2_160, 4_320, 8_760,
] as const;

const STEPS = STEP_HOURS.map((hours) => ({ name: `within_${hours}`, ms: hours * HOUR_MS }));
const LAST_STEP = `within_${STEP_HOURS.at(-1)}`;

/** The most names of one place. */
export const MOST_SUMS = TOTAL_FIGURES.length + STEPS.length;

/** In whole months: the rows of a month expire together. */
export const TOTALS_KEPT_MS = 400 * DAY_MS;

/** What one sum is about. */
export interface TotalPlace {
  /** An environment for the sum of its keys. */
  readonly keyId: KeyId | Environment;
  readonly unit: 'day' | 'month';
  /** The start of the day or the month, in UTC. */
  readonly startsAt: Instant;
  /** Null for the sum of all companies, and for what belongs to none. */
  readonly companyId: CompanyId | null;
}

/** A sum. It contains no personal data. */
export interface Total extends TotalPlace {
  /** A figure, or a step of the times to decision. */
  readonly name: string;
  readonly count: number;
}

/** How far a key is counted. The row without a key is about the rounds of the task. */
export interface TotalHead {
  readonly keyId: KeyId | '';
  /** What has a stamp up to this one is counted. Without a key: when the first round began. */
  readonly at: Instant;
  /** When it was counted. Without a key: when the last whole round began. */
  readonly countedAt: Instant;
  /** The `countedAt` of the row that it replaces; 0 for none. */
  readonly replaces: Instant;
  /** What was added of days whose hourly counts may still grow, by day and figure. */
  readonly hours: Readonly<Record<string, number>>;
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
export interface NewCount extends Pick<Total, 'companyId' | 'name' | 'count'> {
  readonly at: Instant;
}

export function startOfDay(at: Instant): Instant {
  return at - (at % DAY_MS);
}

/** Returns the start of the month in which the instant is, or of one that is so many months later. */
export function startOfMonth(at: Instant, later = 0): Instant {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

/** Counts facts: a decision also by its step. */
export function countFacts(facts: readonly TotalFact[]): readonly NewCount[] {
  return facts.flatMap(({ at, kind, companyId, waitedMs }) => {
    const one = (name: string) => ({ at, companyId, name, count: 1 });
    if (kind === 'shown' || kind === 'submitted') return [one(kind)];
    const step = STEPS.find(({ ms }) => waitedMs <= ms)?.name ?? LAST_STEP;
    return [one(kind === 'accepted' ? 'hired' : kind), one(step)];
  });
}

/** Returns the sums to which the counts of a key belong: of day and month, of key and environment, of company and all. */
export function spreadCounts(
  keyId: KeyId,
  environment: Environment,
  counts: readonly NewCount[],
): readonly Total[] {
  const totals = new Map<string, Total>();
  for (const { at, companyId, name, count } of counts) {
    const periods = [
      { unit: 'day', startsAt: startOfDay(at) },
      { unit: 'month', startsAt: startOfMonth(at) },
    ] as const;
    for (const { unit, startsAt } of periods) {
      for (const owner of [keyId, environment]) {
        for (const company of companyId === null ? [null] : [companyId, null]) {
          const place = [owner, unit, startsAt, company, name].join(' ');
          const before = totals.get(place)?.count ?? 0;
          const total = { keyId: owner, unit, startsAt, companyId: company, name, count: before + count };
          totals.set(place, total);
        }
      }
    }
  }
  return [...totals.values()];
}

/** The figures of one place. */
export interface TotalFigures extends Readonly<Record<TotalFigure, number>> {
  /**
   * Half of the decisions came within this time of the submission, in milliseconds, rounded up to a step; null without a
   * decision. A year stands for all longer times.
   */
  readonly medianToDecisionMs: number | null;
}

/** Returns the figures of the sums of one place. */
export function toFigures(totals: readonly Pick<Total, 'name' | 'count'>[]): TotalFigures {
  const counts = new Map(totals.map(({ name, count }) => [name, count]));
  const of = (name: string) => counts.get(name) ?? 0;
  const decided = STEPS.reduce((sum, { name }) => sum + of(name), 0);
  let counted = 0;
  const median = STEPS.find(({ name }) => {
    counted += of(name);
    return decided > 0 && counted * 2 >= decided;
  });
  return {
    shown: of('shown'),
    submitted: of('submitted'),
    hired: of('hired'),
    rejected: of('rejected'),
    refused: of('refused'),
    delivered: of('delivered'),
    medianToDecisionMs: median?.ms ?? null,
  };
}
