import { inWords, median, quantile } from '../size.js';

/** A partner key that others abuse the service beside. */
export interface Victim {
  readonly secret: string;
  /** Each of a company of its own: the limit on submissions is one for each company. */
  readonly jobIds: readonly string[];
  /** One of its applications. */
  readonly applicationId: string;
}

/** What the measuring process is told to do. */
export interface MeasureOrder {
  /** With the base path. */
  readonly url: string;
  readonly victims: readonly Victim[];
  /** Half of them submissions, half of them reads. */
  readonly requests: number;
  readonly everyMs: number;
}

/** What the victims saw, in the order of their requests. */
export interface Measured {
  readonly submissionsMs: readonly number[];
  readonly readsMs: readonly number[];
  /** How late each request was sent: the measuring process itself had to wait for the machine. */
  readonly sentLateMs: readonly number[];
  /** Replies other than the 201 or 200 that was due. */
  readonly wrong: readonly string[];
}

/** Latencies in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** What a client of another key sees, by what it asks for. */
export interface Latencies {
  readonly submissions: Latency;
  readonly reads: Latency;
}

export function latenciesOf({ submissionsMs, readsMs }: Measured): Latencies {
  return { submissions: latencyOf(submissionsMs), reads: latencyOf(readsMs) };
}

/** The same without the first requests. An attack begins with buckets that are full. */
export function latenciesAfter({ submissionsMs, readsMs, ...rest }: Measured, requests: number): Latencies {
  const half = requests / 2;
  return latenciesOf({ submissionsMs: submissionsMs.slice(half), readsMs: readsMs.slice(half), ...rest });
}

function latencyOf(tookMs: readonly number[]): Latency {
  return { p50: median(tookMs), p99: quantile(tookMs, 0.99) };
}

/** How much slower than calm a reply may be beside an attack, and what it may take in any case. */
const BOUNDS = { p50: { times: 3, ms: 10 }, p99: { times: 5, ms: 50 } } as const;

/** The latencies that exceed their bound, in words; empty if all are within. */
export function stallsIn(latencies: Latencies, calm: Latencies): readonly string[] {
  return (['submissions', 'reads'] as const).flatMap((what) =>
    (['p50', 'p99'] as const).flatMap((share) => {
      const { times, ms } = BOUNDS[share];
      const bound = Math.max(times * calm[what][share], ms);
      const took = latencies[what][share];
      return took <= bound ? [] : [`${share} of ${what}: ${inWords(took)}, at most ${inWords(bound)}`];
    }),
  );
}

/** For a report: p50 and p99 of both. */
export function latenciesInWords({ submissions, reads }: Latencies): string {
  const both = ({ p50, p99 }: Latency) => `${inWords(p50)} / ${inWords(p99)}`;
  return `submissions ${both(submissions)}, reads ${both(reads)}`;
}
