import type { Attributes, Instrument, SpanKind, Telemetry } from '../../core/src/ports/telemetry.js';

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

/** Creates a telemetry whose clock does not start at zero, like `performance.now` in a running process. */
export function createRecordingTelemetry(): RecordingTelemetry {
  const measured: Measurement[] = [];
  const spans: RecordedSpan[] = [];
  const observed = new Map<readonly Instrument[], () => Promise<readonly number[] | null>>();
  let now = 128;
  const instrument: Telemetry['histogram'] = ({ name, unit }) => {
    return (value, attributes) => void measured.push({ name, unit, value, attributes: { ...attributes } });
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
