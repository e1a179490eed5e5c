import { type HourCount, type HourCountKind, hourOf, LATENCY_STEPS_MS, OK } from '../../domain/hour-count.js';
import type { KeyId, PartnerId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import { DAY_MS, type Instant } from '../../domain/time.js';
import type { CommandContext } from '../../operator/command/definition.js';

/** How often something happened. */
export interface NamedCount {
  /** An error code, or the name of a field as in the request log. */
  readonly name: string;
  readonly count: number;
}

/** The figures of a time range. */
export interface HealthFigures {
  /** Answered requests with a valid key. */
  readonly requests: number;
  /** How many of them got an error. */
  readonly errors: number;
  /** The most frequent error codes, at most 5. */
  readonly codes: readonly NamedCount[];
  /** The fields that were refused most often, at most 5. */
  readonly fields: readonly NamedCount[];
  /** Attempts to deliver events. */
  readonly deliveries: { readonly succeeded: number; readonly failed: number };
  /**
   * How long half and 95 % of the successful attempts took at most, in milliseconds; null without a success. Rounded up
   * to a step of the counts.
   */
  readonly latency: { readonly median: number | null; readonly p95: number | null };
}

/** The figures of the last 24 hours, and of the last 7 days. The first hour of each is counted as a whole. */
export interface HealthPeriods {
  readonly day: HealthFigures;
  readonly week: HealthFigures;
}

/** The health of a partner in one environment. */
export interface KeyHealth extends HealthPeriods {
  readonly keyId: KeyId;
  readonly environment: Environment;
  /** When the endpoint last took an event; null if it never did, or without an endpoint. */
  readonly lastSuccessAt: Instant | null;
  /**
   * The keys of all other partners in this environment together, to compare with; null if the caller may not see other
   * partners.
   */
  readonly others: HealthPeriods | null;
}

/** The health of a partner. */
export interface PartnerHealth {
  /** By the storage's time. */
  readonly at: Instant;
  /** One for each environment in which the partner has a key. */
  readonly keys: readonly KeyHealth[];
}

type Counts = Readonly<Record<HourCountKind, readonly HourCount[]>>;

/** Reads the counts of each hour, so the cost does not grow with the traffic. */
export async function findPartnerHealth(
  { read, now, flush }: CommandContext,
  id: PartnerId,
): Promise<PartnerHealth> {
  await flush();
  const at = await now();
  const week = hourOf(at - 7 * DAY_MS);
  const day = hourOf(at - DAY_MS);

  async function countsOf(keyId: KeyId | Environment): Promise<Counts> {
    const list = (kind: HourCountKind) => read.hourCounts.list({ kind, keyId, from: week });
    return {
      request: [],
      answer: await list('answer'),
      field: await list('field'),
      attempt: await list('attempt'),
      latency: await list('latency'),
    };
  }

  const keys: KeyHealth[] = [];
  for (const { id: keyId, environment } of await read.keys.list(id)) {
    const counts = await countsOf(keyId);
    const endpoint = await read.endpoints.find(keyId);
    const lastSuccessAt = endpoint?.health.lastSuccessAt ?? null;
    const others = periodsOf(await countsOf(environment), day, counts);
    keys.push({ keyId, environment, lastSuccessAt, others, ...periodsOf(counts, day) });
  }
  return { at, keys };
}

function periodsOf(counts: Counts, day: Instant, without: Counts | null = null): HealthPeriods {
  return { day: figuresOf(counts, without, day), week: figuresOf(counts, without, 0) };
}

const MOST_NAMED = 5;

function figuresOf(counts: Counts, without: Counts | null, from: Instant): HealthFigures {
  const totals = (kind: HourCountKind) => {
    const byName = new Map<string, number>();
    const addUp = (each: Counts, sign: 1 | -1) => {
      for (const { hour, name, count } of each[kind]) {
        if (hour >= from) byName.set(name, (byName.get(name) ?? 0) + sign * count);
      }
    };
    addUp(counts, 1);
    if (without !== null) addUp(without, -1);
    // The sum of all keys may be a moment older than the counts of one.
    return new Map([...byName].map(([name, count]) => [name, Math.max(0, count)]));
  };
  const answers = totals('answer');
  const requests = sumOf(answers);
  const attempts = totals('attempt');
  return {
    requests,
    errors: requests - (answers.get(OK) ?? 0),
    codes: mostFrequent([...answers].filter(([name]) => name !== OK)),
    fields: mostFrequent([...totals('field')]),
    deliveries: { succeeded: attempts.get('succeeded') ?? 0, failed: attempts.get('failed') ?? 0 },
    latency: latencyOf(totals('latency')),
  };
}

function sumOf(totals: ReadonlyMap<string, number>): number {
  return [...totals.values()].reduce((sum, count) => sum + count, 0);
}

function mostFrequent(totals: readonly (readonly [name: string, count: number])[]): readonly NamedCount[] {
  return totals
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({ name, count }))
    .toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
    .slice(0, MOST_NAMED);
}

function latencyOf(totals: ReadonlyMap<string, number>): HealthFigures['latency'] {
  const all = sumOf(totals);
  const within = (share: number) => {
    let counted = 0;
    return LATENCY_STEPS_MS.find((step) => {
      counted += totals.get(String(step)) ?? 0;
      return all > 0 && counted >= share * all;
    });
  };
  return { median: within(0.5) ?? null, p95: within(0.95) ?? null };
}
