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
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../../core/src/ports/telemetry.js';

/** A series of measurements: its attributes and its value, or how many values it holds. */
export interface Series {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: number;
}

/** OpenTelemetry's SDK as a host registers it, with everything that reaches it. */
export interface TelemetryUnderTest {
  /** The ended spans, in their order. */
  spans(): readonly ReadableSpan[];
  /** The series of a metric, read now. */
  series(metric: string): Promise<readonly Series[]>;
  /** Everything that would leave the process, as text. */
  everything(): Promise<string>;
  /** Unregisters the SDK. */
  close(): Promise<void>;
}

/** Never: the tests read when they want to. */
const NEVER_MS = 2 ** 31 - 1;

/** Registers the SDK with exporters that keep everything in memory. */
export function registerTelemetry(): TelemetryUnderTest {
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
    spans: () => spans.getFinishedSpans(),
    series: async (name) => {
      const metric = (await collect()).find(({ descriptor }) => descriptor.name === name);
      return (metric?.dataPoints ?? []).map(({ attributes, value }) => ({
        attributes,
        value: typeof value === 'number' ? value : value.count,
      }));
    },
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
    close: async () => {
      trace.disable();
      metrics.disable();
      context.disable();
      propagation.disable();
      await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]);
    },
  };
}

/** Carries the active span along asynchronous calls, as the SDK for Node does. */
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

/** A line that was logged. */
export interface LogLine {
  readonly level: keyof Logger;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A logger that keeps what it is told. */
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

/** As pino does: of an error also what JSON leaves out. */
function withErrors(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { message, stack, cause } = value;
  return { ...value, message, stack, cause };
}
