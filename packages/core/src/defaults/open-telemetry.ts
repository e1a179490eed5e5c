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

/** The instrumentation scope that all metrics and spans carry. */
const SCOPE = '@partner-hiring/core';
/** As in package.json; a test holds them together. */
export const VERSION = '0.1.0';

/**
 * The key under which SDKs look whether tracing is switched off in a context. It is the SDK's (`suppressTracing`
 * of `@opentelemetry/core`), but a key is known by its text.
 */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');
const UNTRACED = ROOT_CONTEXT.setValue(SUPPRESSED, true);

/** Of a call to a stranger that nobody records: with instrumented clients, what the host carries would still go out. */
const UNSEEN_CALL: Span = { ...NO_SPAN, run: (work) => context.with(UNTRACED, work) };

/**
 * Metrics and traces through the API of OpenTelemetry: to the SDK that the host registered before, and nowhere
 * if it has none. What an SDK throws, as one does what a sampler or a processor of the host's throws, is lost, and takes
 * nothing with it.
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
      // Without an SDK there is no trace, and nothing to carry along.
      if (span === null || span.spanContext().traceId === INVALID_TRACEID)
        return isCall ? UNSEEN_CALL : NO_SPAN;
      return safeSpan(wrap(span, trace.setSpan(isCall ? UNTRACED : parent, span)));
    },

    seconds: () => performance.now() / 1_000,
  };
}

/**
 * Below a span of the host's server, a request is a part of that one's work and not one more request; below the caller's,
 * which is elsewhere, it is the request.
 */
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
