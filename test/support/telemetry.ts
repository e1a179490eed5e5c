import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type ContextManager,
  context,
  metrics,
  propagation,
  ROOT_CONTEXT,
  trace,
} from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type {
  Attributes,
  Instrument,
  Logger,
  SpanKind,
  Telemetry,
} from '../../packages/core/src/ports/telemetry.js';

/**
 * One series of a metric: its attributes and its value. The value of a histogram is the number of recorded
 * values.
 */
export interface Series {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: number;
}

/** Never exports by itself. */
const NEVER_MS = 2 ** 31 - 1;

/** Registers the SDK with in-memory exporters. */
export function registerTelemetry() {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const reader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
    exportIntervalMillis: NEVER_MS,
    exportTimeoutMillis: NEVER_MS,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
  context.setGlobalContextManager(createContextManager());

  async function collect() {
    const { resourceMetrics, errors } = await reader.collect();
    if (errors.length > 0) throw errors[0];
    return resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
  }

  return {
    /** The ended spans, in order. */
    spans: () => spans.getFinishedSpans(),
    /** Reads the series of a metric. */
    series: async (name: string) => {
      const metric = (await collect()).find(({ descriptor }) => descriptor.name === name);
      return (metric?.dataPoints ?? []).map(({ attributes, value }) => ({
        attributes,
        value: typeof value === 'number' ? value : value.count,
      }));
    },
    /** All exported data as text. */
    everything: async () =>
      JSON.stringify([
        await collect(),
        spans.getFinishedSpans().map(({ name, kind, attributes, events, links, status }) => ({
          name,
          kind,
          attributes,
          events,
          links,
          status,
        })),
      ]),
    /** Unregisters the SDK. */
    close: async () => {
      trace.disable();
      metrics.disable();
      context.disable();
      propagation.disable();
      await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]);
    },
  };
}

/** Propagates the active span through async calls, like the SDK for Node. */
function createContextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) => storage.run(active, () => work.apply(self as never, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

/** A log line. */
export interface LogLine {
  readonly level: keyof Logger;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A logger that records its lines. */
export function createRecordingLogger(): Logger & { readonly lines: readonly LogLine[]; text(): string } {
  const lines: LogLine[] = [];
  const at = (level: keyof Logger) => (fields: LogLine['fields'], message: string) => {
    lines.push({ level, fields, message });
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    lines,
    text: () => JSON.stringify(lines, withErrors),
  };
}

/** Serializes an error with its message, stack and cause, which JSON would omit. Pino does the same. */
function withErrors(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { message, stack, cause } = value;
  return { ...value, message, stack, cause };
}

/** A measured value. */
export interface Measurement {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly attributes: Attributes;
}

/** A span with its attributes. */
export interface RecordedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** Null unless it failed. */
  readonly failure: string | null;
  readonly isEnded: boolean;
}

/** A telemetry that records everything, on a fake clock. */
export interface RecordingTelemetry extends Telemetry {
  readonly measured: readonly Measurement[];
  readonly spans: readonly RecordedSpan[];
  /** Reads all observed values by name and unit; null if unavailable. */
  collect(): Promise<Readonly<Record<string, number | null>>>;
  /** Advances time by seconds. */
  pass(seconds: number): void;
}

/**
 * Creates a telemetry whose clock does not start at zero, like `performance.now` in a running process. Like `prom-client`, it
 * refuses attributes that the instrument does not name.
 */
export function createRecordingTelemetry(): RecordingTelemetry {
  const measured: Measurement[] = [];
  const spans: RecordedSpan[] = [];
  const observed = new Map<readonly Instrument[], () => Promise<readonly number[] | null>>();
  let now = 128;
  const instrument: Telemetry['histogram'] = ({ name, unit, attributes: known = [] }) => {
    return (value, attributes) => {
      const unknown = Object.keys(attributes).find((attribute) => !known.includes(attribute));
      if (unknown !== undefined) throw new Error(`${name} does not name its attribute ${unknown}.`);
      measured.push({ name, unit, value, attributes: { ...attributes } });
    };
  };
  return {
    measured,
    spans,
    pass: (seconds) => {
      now += seconds;
    },
    counter: (options) => instrument({ ...options, buckets: [] }),
    histogram: instrument,
    observe: (instruments, read) => {
      observed.set(instruments, read);
      return () => void observed.delete(instruments);
    },
    collect: async () => {
      const found: [string, number | null][] = [];
      for (const [instruments, read] of observed) {
        const values = await read();
        instruments.forEach(({ name, unit }, index) => {
          found.push([`${name} ${unit}`, values?.[index] ?? null]);
        });
      }
      return Object.fromEntries(found);
    },
    seconds: () => now,
    startSpan: (name, kind, attributes) => {
      const index = spans.push({ name, kind, attributes, failure: null, isEnded: false }) - 1;
      const change = (changes: (span: RecordedSpan) => Partial<RecordedSpan>) => {
        const span = spans[index];
        if (span !== undefined) spans[index] = { ...span, ...changes(span) };
      };
      return {
        isRecorded: true,
        run: (work) => work(),
        set: (more) => change((span) => ({ attributes: { ...span.attributes, ...more } })),
        fail: (failure) => change(() => ({ failure })),
        end: () => change(() => ({ isEnded: true })),
      };
    },
  };
}
