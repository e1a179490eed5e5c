import { misconfiguration } from '../errors.js';
import type { Measure, Span, Telemetry } from '../ports/telemetry.js';
import { ignoreRejection } from './stray-promises.js';

export const NO_SPAN: Span = {
  isRecorded: false,
  run: (work) => work(),
  set: () => {},
  fail: () => {},
  end: () => {},
};

/** @throws OperatorError `MISCONFIGURED` if the host's method does not return a function. */
export function createSafeTelemetry(telemetry: Telemetry): Telemetry {
  return {
    counter: (instrument) => safeMeasure(functionFrom('counter', telemetry.counter(instrument))),
    histogram: (instrument) => safeMeasure(functionFrom('histogram', telemetry.histogram(instrument))),
    observe(instruments, read) {
      const stop = functionFrom('observe', telemetry.observe(instruments, read));
      return () => quietly(stop);
    },
    startSpan(name, kind, attributes) {
      let span: Span | null | undefined = null;
      quietly(() => {
        span = telemetry.startSpan(name, kind, attributes);
        return span;
      });
      return span ? safeSpan(span) : NO_SPAN;
    },
    seconds: safeClock(telemetry),
  };
}

function functionFrom<Made>(method: 'counter' | 'histogram' | 'observe', made: Made): Made {
  if (typeof made === 'function') return made;
  ignoreRejection(made);
  const message = `\`telemetry.${method}\` must return a function synchronously, not a promise.`;
  throw misconfiguration(message);
}

function safeClock(telemetry: Telemetry): () => number {
  let seconds = 0;
  return () => {
    quietly(() => {
      seconds = telemetry.seconds();
    });
    return seconds;
  };
}

export function safeMeasure(measure: Measure): Measure {
  return (value, attributes) => {
    try {
      ignoreRejection(measure(value, attributes));
    } catch {
      // No closure here: this runs for every request and attempt.
    }
  };
}

export function safeSpan(span: Span): Span {
  return {
    isRecorded: span.isRecorded,
    run: (work) => runOnce(span, work),
    set: (attributes) => quietly(() => span.set(attributes)),
    fail: (type) => quietly(() => span.fail(type)),
    end: () => quietly(() => span.end()),
  };
}

/** Runs the work exactly once, even if the span throws. */
function runOnce<T>(span: Span, work: () => T): T {
  let done: Outcome<T> | null = null;
  const doOnce = (): Outcome<T> => {
    done ??= outcomeOf(work);
    return done;
  };
  quietly(() => span.run(() => void doOnce()));
  const outcome = doOnce();
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

type Outcome<T> = { readonly result: T } | { readonly error: unknown };

function outcomeOf<T>(work: () => T): Outcome<T> {
  try {
    return { result: work() };
  } catch (error) {
    return { error };
  }
}

export function quietly(act: () => unknown): void {
  try {
    ignoreRejection(act());
  } catch {
    // Telemetry must not interrupt the work.
  }
}
