import { inWords, median, quantile } from '../size.js';

/** A partner whose latency is measured. */
export interface Victim {
  readonly secret: string;
  /** One per company, because companies have their own limits. */
  readonly jobIds: readonly string[];
  readonly applicationId: string;
}

export interface MeasureOrder {
  /** Includes the base path. */
  readonly url: string;
  readonly victims: readonly Victim[];
  /** Half submissions, half reads. */
  readonly requests: number;
  readonly everyMs: number;
}

/** In the order of the requests. */
export interface Measured {
  readonly submissionsMs: readonly number[];
  readonly readsMs: readonly number[];
  /** How late each request was sent because the machine was busy. */
  readonly sentLateMs: readonly number[];
  /** Unexpected replies. */
  readonly wrong: readonly string[];
}

/** Latencies in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

export interface Latencies {
  readonly submissions: Latency;
  readonly reads: Latency;
}

export function latenciesOf({ submissionsMs, readsMs }: Measured): Latencies {
  return { submissions: latencyOf(submissionsMs), reads: latencyOf(readsMs) };
}

/** Drops the first requests, when the attacker still has tokens. */
export function latenciesAfter({ submissionsMs, readsMs, ...rest }: Measured, requests: number): Latencies {
  const half = requests / 2;
  return latenciesOf({ submissionsMs: submissionsMs.slice(half), readsMs: readsMs.slice(half), ...rest });
}

function latencyOf(tookMs: readonly number[]): Latency {
  return { p50: median(tookMs), p99: quantile(tookMs, 0.99) };
}

/** The allowed factor over the baseline latency, or the allowed latency. */
const BOUNDS = { p50: { times: 3, ms: 10 }, p99: { times: 5, ms: 50 } } as const;

/** Returns the exceeded latencies. */
export function stallsIn(latencies: Latencies, baseline: Latencies): readonly string[] {
  return (['submissions', 'reads'] as const).flatMap((what) =>
    (['p50', 'p99'] as const).flatMap((share) => {
      const { times, ms } = BOUNDS[share];
      const bound = Math.max(times * baseline[what][share], ms);
      const took = latencies[what][share];
      return took <= bound ? [] : [`${share} of ${what}: ${inWords(took)}, at most ${inWords(bound)}`];
    }),
  );
}

/** For the report. */
export function latenciesInWords({ submissions, reads }: Latencies): string {
  const both = ({ p50, p99 }: Latency) => `${inWords(p50)} / ${inWords(p99)}`;
  return `submissions ${both(submissions)}, reads ${both(reads)}`;
}
