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
  /** The names of all attributes that its measurements may have; default: none. */
  readonly attributes?: readonly string[] | undefined;
}

/**
 * Records one measurement. It must be synchronous and cheap. Each attribute has only a few distinct values.
 */
export type Measure = (value: number, attributes: Attributes) => void;

/** The kind of a span: `server` for an incoming request, `client` for an outgoing one. */
export type SpanKind = 'server' | 'client';

/** A span of a trace. */
export interface Span {
  /** Whether the span is recorded; if not, the library sets no attributes. */
  readonly isRecorded: boolean;
  /**
   * Runs `work` inside the span. Inside a `client` span, other instrumentation must be suppressed, because
   * the URL may contain a secret.
   */
  run<T>(work: () => T): T;
  set(attributes: Attributes): void;
  /** Marks the span as failed, with the type of the error. */
  fail(type: string): void;
  end(): void;
}

/** Receives the library's metrics and traces. Its methods must not block or throw. */
export interface Telemetry {
  counter(instrument: Instrument): Measure;
  histogram(instrument: Instrument & { readonly buckets: readonly number[] }): Measure;
  /**
   * Registers gauges. `read` returns one value per instrument. Call the returned function to unregister the
   * gauges.
   */
  observe(instruments: readonly Instrument[], read: () => Promise<readonly number[] | null>): () => void;
  /** Starts a span. A `server` span is a child of the active span. A `client` span starts a new trace. */
  startSpan(name: string, kind: SpanKind, attributes: Attributes): Span;
  /** Returns seconds on a monotonic clock. */
  seconds(): number;
}
