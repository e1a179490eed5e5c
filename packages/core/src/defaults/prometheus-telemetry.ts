import type { Attributes, Instrument, Telemetry } from '../ports/telemetry.js';
import { NO_SPAN } from './safe-telemetry.js';

/** The parts of the package `prom-client` that the library uses. */
export interface PrometheusClient<Registry> {
  readonly Counter: new (
    options: PrometheusOptions<Registry>,
  ) => { inc(labels: Record<string, string | number>, value: number): void };
  readonly Histogram: new (
    options: PrometheusOptions<Registry> & { buckets: number[] },
  ) => { observe(labels: Record<string, string | number>, value: number): void };
  readonly Gauge: new (
    options: PrometheusOptions<Registry> & { collect(this: PrometheusGauge): Promise<void> },
  ) => PrometheusGauge;
  /** Has the metrics; by default, the registry of the process. */
  readonly register: Registry;
}

/** The options of a metric of `prom-client`. */
export interface PrometheusOptions<Registry> {
  name: string;
  help: string;
  labelNames: string[];
  registers: Registry[];
}

/** A gauge of `prom-client`. */
export interface PrometheusGauge {
  set(value: number): void;
  remove(): void;
}

/**
 * Sends the metrics to `prom-client`, with the names that the alerts and the dashboard of `examples/operations` use. It has no
 * traces.
 * @example
 * import * as prometheus from 'prom-client';
 * const telemetry = createPrometheusTelemetry(prometheus);
 * const partnerHiring = createPartnerHiring({ storage, secretKey, telemetry });
 * // On a port of its own, which the public cannot reach.
 * const server = createServer(async (_request, response) => {
 *   const { register } = prometheus;
 *   response.setHeader('content-type', register.contentType).end(await register.metrics());
 * });
 * server.listen(9464, '127.0.0.1');
 */
export function createPrometheusTelemetry<
  Registry extends { getSingleMetric(name: string): unknown; removeSingleMetric(name: string): void },
>({ Counter, Histogram, Gauge, register }: PrometheusClient<Registry>): Telemetry {
  const optionsOf = (instrument: Instrument, ending = '') => ({
    name: nameOf(instrument) + ending,
    help: instrument.description,
    labelNames: (instrument.attributes ?? []).map(toName),
    registers: [register],
  });
  return {
    counter(instrument) {
      const options = optionsOf(instrument, '_total');
      const found = register.getSingleMetric(options.name);
      const counter = found instanceof Counter ? found : new Counter(options);
      return (value, attributes) => counter.inc(labelsOf(attributes), value);
    },
    histogram(instrument) {
      const options = { ...optionsOf(instrument), buckets: [...instrument.buckets] };
      const found = register.getSingleMetric(options.name);
      const histogram = found instanceof Histogram ? found : new Histogram(options);
      return (value, attributes) => histogram.observe(labelsOf(attributes), value);
    },
    observe(instruments, read) {
      const readOnce = createSharedRead(read);
      const gauges = instruments.map((instrument, index) => {
        const options = optionsOf(instrument);
        register.removeSingleMetric(options.name);
        const gauge = new Gauge({
          ...options,
          async collect() {
            const value = (await readOnce())?.[index];
            if (value === undefined) this.remove();
            else this.set(value);
          },
        });
        return { name: options.name, gauge };
      });
      return () => {
        for (const { name, gauge } of gauges)
          if (register.getSingleMetric(name) === gauge) register.removeSingleMetric(name);
      };
    },
    startSpan: () => NO_SPAN,
    seconds: () => performance.now() / 1_000,
  };
}

type Read = Parameters<Telemetry['observe']>[1];

/** The gauges of a scrape share one read. */
function createSharedRead(read: Read): Read {
  let reading: ReturnType<Read> | null = null;
  return () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
}

/** A unit in braces only describes what is counted. */
function nameOf({ name, unit }: Instrument): string {
  return toName(name) + (unit === 's' ? '_seconds' : '');
}

function toName(text: string): string {
  return text.replace(/[^a-zA-Z0-9_]/g, '_');
}

function labelsOf(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [toName(name), value]));
}
