/** Structured log fields. Never a secret, a key or personal data; an error goes under `err`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the library logs; pino's and Fastify's loggers have this form. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** What a measurement or a span is marked with. Never a secret, a key or personal data. */
export type Attributes = Readonly<Record<string, string | number>>;

/** Names a series of measurements. */
export interface Instrument {
  readonly name: string;
  /** In UCUM's spelling: `s` for seconds, `{event}` for a count of events. */
  readonly unit: string;
  readonly description: string;
}

/** An instrument whose values are sorted into buckets. */
export interface Distribution extends Instrument {
  /** The upper bounds of the buckets, ascending. */
  readonly buckets: readonly number[];
}

/** Takes one measurement. Synchronous, and cheap where nobody listens; attributes have few values. */
export type Measure = (value: number, attributes: Attributes) => void;

/** Who is on the other side: a caller, or a server that we call. */
export type SpanKind = 'server' | 'client';

/** A piece of work on a trace. */
export interface Span {
  /** Whether anybody will see it: attributes that cost something are left out otherwise. */
  readonly isRecorded: boolean;
  /**
   * Does work as a part of this span. What a `client` span does is traced by nothing else, and no trace id goes
   * out with it: it calls URLs of strangers, which often hold a secret.
   */
  run<T>(work: () => T): T;
  set(attributes: Attributes): void;
  /** Marks it as failed, with the kind of the failure. */
  fail(type: string): void;
  end(): void;
}

/** Where the library's metrics and traces go. Nothing here waits or throws. */
export interface Telemetry {
  /** Counts up. */
  counter(instrument: Instrument): Measure;
  /** Distributions of durations and sizes. */
  histogram(instrument: Distribution): Measure;
  /**
   * Values that are read when somebody collects, and only then: one for each instrument, or null if they cannot
   * be had. What comes back ends it.
   */
  observe(instruments: readonly Instrument[], read: () => Promise<readonly number[] | null>): () => void;
  /** Begins a span: a `server` span below what is active, a `client` span on a trace of its own. */
  startSpan(name: string, kind: SpanKind, attributes: Attributes): Span;
  /** Seconds on a clock that only runs forward; only differences mean something. */
  seconds(): number;
}
