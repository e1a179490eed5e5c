/** Structured log fields, with errors under `err`. Must not contain secrets, keys or personal data. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A logger. Loggers of pino and Fastify fit. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** Attributes of a measurement or span. Must not contain secrets, keys or personal data. */
export type Attributes = Readonly<Record<string, string | number>>;

/** Describes a metric. */
export interface Instrument {
  readonly name: string;
  /** A UCUM unit: `s` for seconds, `{event}` for a count of events. */
  readonly unit: string;
  readonly description: string;
}

/** Describes a histogram. */
export interface Distribution extends Instrument {
  readonly buckets: readonly number[];
}

/** Records one measurement. Must be synchronous and cheap. Attributes have few distinct values. */
export type Measure = (value: number, attributes: Attributes) => void;

/** `server` for an incoming request, `client` for an outgoing one. */
export type SpanKind = 'server' | 'client';

/** A span of a trace. */
export interface Span {
  readonly isRecorded: boolean;
  /** Inside a `client` span, no instrumentation may send trace ids: the URL may contain a secret. */
  run<T>(work: () => T): T;
  set(attributes: Attributes): void;
  fail(type: string): void;
  end(): void;
}

/** Receives the library's metrics and traces. Its methods must not block or throw. */
export interface Telemetry {
  counter(instrument: Instrument): Measure;
  histogram(instrument: Distribution): Measure;
  /** Registers gauges. `read` returns a value per instrument. The result unregisters them. */
  observe(instruments: readonly Instrument[], read: () => Promise<readonly number[] | null>): () => void;
  /** A `server` span is a child of the active span; a `client` span starts its own trace. */
  startSpan(name: string, kind: SpanKind, attributes: Attributes): Span;
  /** Returns seconds on a monotonic clock. */
  seconds(): number;
}
