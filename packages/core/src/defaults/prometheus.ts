import type { Attributes, Instrument, Measure, Telemetry } from '../ports/telemetry.js';
import { NO_SPAN } from './safe-telemetry.js';

/** The metrics of one process, without an SDK. It has no traces. */
export interface PrometheusMetrics {
  /** Pass it to `createPartnerHiring`. */
  readonly telemetry: Telemetry;
  /** The media type of the text. */
  readonly contentType: string;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

/**
 * Collects metrics for Prometheus, with the names that the alerts and the dashboard of `examples/operations` use.
 * @example
 * const metrics = createPrometheusMetrics();
 * const partnerHiring = createPartnerHiring({ storage, secretKey, telemetry: metrics.telemetry });
 * // On a port of its own, which the public cannot reach.
 * const server = createServer(async (_request, response) => {
 *   response.setHeader('content-type', metrics.contentType).end(await metrics.text());
 * });
 * server.listen(9464, '127.0.0.1');
 */
export function createPrometheusMetrics(): PrometheusMetrics {
  const sources: (() => Promise<readonly string[]>)[] = [];
  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    text: async () => {
      const parts = await Promise.all(sources.map((lines) => lines()));
      return `${parts.flat().join('\n')}\n`;
    },
    telemetry: {
      counter(instrument) {
        const { measure, lines } = createCounter(instrument);
        sources.push(lines);
        return measure;
      },
      histogram(instrument) {
        const { measure, lines } = createHistogram(instrument);
        sources.push(lines);
        return measure;
      },
      observe(instruments, read) {
        const lines = async () => {
          const values = (await read().catch(() => null)) ?? [];
          return instruments.flatMap((instrument, index) => {
            const value = values[index];
            if (value === undefined) return [];
            const name = nameOf(instrument);
            return [...headOf(name, instrument, 'gauge'), `${name} ${value}`];
          });
        };
        sources.push(lines);
        return () => void sources.splice(sources.indexOf(lines), 1);
      },
      startSpan: () => NO_SPAN,
      seconds: () => performance.now() / 1_000,
    },
  };
}

interface Collected {
  readonly measure: Measure;
  lines(): Promise<readonly string[]>;
}

function createCounter(instrument: Instrument): Collected {
  const name = `${nameOf(instrument)}_total`;
  const sums = new Map<string, number>();
  return {
    measure: (value, attributes) => {
      const labels = labelsOf(attributes);
      sums.set(labels, (sums.get(labels) ?? 0) + value);
    },
    lines: async () => {
      if (sums.size === 0) return [];
      const rows = [...sums].map(([labels, sum]) => `${name}${inBraces(labels)} ${sum}`);
      return [...headOf(name, instrument, 'counter'), ...rows];
    },
  };
}

interface Series {
  count: number;
  sum: number;
  readonly within: number[];
}

function createHistogram(instrument: Parameters<Telemetry['histogram']>[0]): Collected {
  const name = nameOf(instrument);
  const { buckets } = instrument;
  const all = new Map<string, Series>();
  return {
    measure: (value, attributes) => {
      const labels = labelsOf(attributes);
      const series = all.get(labels) ?? { count: 0, sum: 0, within: buckets.map(() => 0) };
      all.set(labels, series);
      series.count += 1;
      series.sum += value;
      for (const [index, bound] of buckets.entries()) {
        if (value <= bound) series.within[index] = (series.within[index] ?? 0) + 1;
      }
    },
    lines: async () => {
      if (all.size === 0) return [];
      const rows = [...all].flatMap(([labels, { count, sum, within }]) => [
        `${name}_count${inBraces(labels)} ${count}`,
        `${name}_sum${inBraces(labels)} ${sum}`,
        ...buckets.map(
          (bound, index) => `${name}_bucket${inBraces(labels, `le="${bound}"`)} ${within[index]}`,
        ),
        `${name}_bucket${inBraces(labels, 'le="+Inf"')} ${count}`,
      ]);
      return [...headOf(name, instrument, 'histogram'), ...rows];
    },
  };
}

/** A unit in braces only describes what is counted. */
function nameOf({ name, unit }: Instrument): string {
  const plain = toName(name);
  return unit === 's' ? `${plain}_seconds` : plain;
}

function headOf(name: string, { description }: Instrument, type: string): readonly string[] {
  return [`# HELP ${name} ${description}`, `# TYPE ${name} ${type}`];
}

function toName(text: string): string {
  return text.replace(/[^a-zA-Z0-9_]/g, '_');
}

function labelsOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${toName(name)}="${escaped(String(value))}"`)
    .join(',');
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function inBraces(...labels: readonly string[]): string {
  const given = labels.filter((label) => label !== '');
  return given.length === 0 ? '' : `{${given.join(',')}}`;
}
