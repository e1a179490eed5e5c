import {
  type Context,
  type Counter,
  context,
  createContextKey,
  INVALID_TRACEID,
  metrics,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Span, Telemetry } from '../ports/telemetry.js';
import { NO_SPAN, quietly, safeMeasure, safeSpan } from './safe-telemetry.js';

const SCOPE = '@partner-hiring/core';
/** A test verifies that this version equals the one in package.json. */
export const VERSION = '0.1.0';

/** `suppressTracing` of `@opentelemetry/core` uses this key. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');
const UNTRACED = ROOT_CONTEXT.setValue(SUPPRESSED, true);

/** Instrumented clients would send the host's trace context to partners. */
const UNSEEN_CALL: Span = { ...NO_SPAN, run: (work) => context.with(UNTRACED, work) };

/**
 * Sends metrics and traces to the registered OpenTelemetry SDK, if any, and ignores its errors.
 */
export function createOpenTelemetry(): Telemetry {
  const meter = metrics.getMeter(SCOPE, VERSION);
  const tracer = trace.getTracer(SCOPE, VERSION);

  function startQuietly(...started: Parameters<typeof tracer.startSpan>): OtelSpan | null {
    try {
      return tracer.startSpan(...started);
    } catch {
      return null;
    }
  }

  return {
    counter({ name, ...options }) {
      const counter: Counter = meter.createCounter(name, options);
      return safeMeasure((value, attributes) => counter.add(value, attributes));
    },

    histogram({ name, buckets, ...options }) {
      const advice = { explicitBucketBoundaries: [...buckets] };
      const histogram = meter.createHistogram(name, { ...options, advice });
      return safeMeasure((value, attributes) => histogram.record(value, attributes));
    },

    observe(instruments, read) {
      const gauges = instruments.map(({ name, ...options }) => meter.createObservableGauge(name, options));
      const callback: Parameters<typeof meter.addBatchObservableCallback>[0] = async (result) => {
        const values = await read();
        for (const [index, gauge] of gauges.entries()) {
          const value = values?.[index];
          if (value !== undefined) result.observe(gauge, value);
        }
      };
      meter.addBatchObservableCallback(callback, gauges);
      return () => quietly(() => meter.removeBatchObservableCallback(callback, gauges));
    },

    startSpan(name, kind, attributes) {
      const isCall = kind === 'client';
      const parent = isCall ? ROOT_CONTEXT : context.active();
      const span = startQuietly(name, { kind: spanKind(kind, parent), attributes }, parent);
      if (span === null || span.spanContext().traceId === INVALID_TRACEID)
        return isCall ? UNSEEN_CALL : NO_SPAN;
      return safeSpan(wrap(span, trace.setSpan(isCall ? UNTRACED : parent, span)));
    },

    seconds: () => performance.now() / 1_000,
  };
}

/** A request inside a span that the host's own server started has the kind `INTERNAL`. */
function spanKind(kind: 'server' | 'client', parent: Context): SpanKind {
  if (kind === 'client') return SpanKind.CLIENT;
  const above = trace.getSpanContext(parent);
  return above === undefined || above.isRemote === true ? SpanKind.SERVER : SpanKind.INTERNAL;
}

function wrap(span: OtelSpan, within: Context): Span {
  return {
    isRecorded: span.isRecording(),
    run: (work) => context.with(within, work),
    set: (attributes) => void span.setAttributes(attributes),
    fail(type) {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}
